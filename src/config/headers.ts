import { t } from '@grafana/i18n';

import { type Options, withoutSecret, withSecret, withSetting } from './options';

/** A custom HTTP header: Grafana keeps names and values apart, joined by a number that starts at 1. */
export interface Header {
  index: number;
  name: string;
}

/** The headers up to the first missing number, which is where Grafana's backend stops reading, too. */
export function headers({ jsonData }: Options): Header[] {
  const found: Header[] = [];
  for (let index = 1, name = jsonData.httpHeaderName1; name; name = jsonData[`httpHeaderName${++index}`]) {
    found.push({ index, name });
  }
  return found;
}

/**
 * Removes a header, and moves those after it up. A value that is already saved cannot be read and so cannot move:
 * it is cleared, to be typed again, rather than sent under the name of another header.
 */
export function withoutHeader(options: Options, index: number): Options {
  const after = headers(options).filter((header) => header.index > index);
  const moved = after.reduce((result, header) => {
    const typed = options.secureJsonData?.[`httpHeaderValue${header.index}`];
    const target = `httpHeaderValue${header.index - 1}` as const;
    const named = withSetting(result, `httpHeaderName${header.index - 1}`, header.name);
    return typed ? withSecret(withoutSecret(named, target), target, typed) : withoutSecret(named, target);
  }, options);
  const last = index + after.length;
  return withoutSecret(withSetting(moved, `httpHeaderName${last}`, undefined), `httpHeaderValue${last}`);
}

/** Says what is wrong with the name of a header. A name that HTTP does not know would make every request fail. */
export function headerNameProblem(name: string): string | undefined {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? undefined
    : t('config.headers.problem', 'Expected the name of a header: letters, digits and hyphens');
}
