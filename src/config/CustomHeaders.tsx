import React, { useState } from 'react';

import { t, Trans } from '@grafana/i18n';
import { Button, Stack } from '@grafana/ui';

import { selectors } from '../selectors';
import { CheckedSetting, SecretSetting } from './inputs';
import { type ConfigProps, type Options, secretProps, withoutSecret, withSecret, withSetting } from './options';

/** HTTP headers that are sent with every request, for example for proxies. */
export function CustomHeaders({ options, onOptionsChange }: ConfigProps) {
  const named = headers(options);
  // A new header is not part of the settings until it has a name.
  const [newIndex, setNewIndex] = useState<number>();
  // Those behind a removed header take over its number, but not what was typed into its fields.
  const [removals, setRemovals] = useState(0);
  const isNew = newIndex !== undefined && newIndex > named.length;
  const rows = isNew ? [...named, { index: newIndex, name: '' }] : named;
  return (
    <>
      {rows.map((header) => (
        <CustomHeader
          key={`${removals} ${header.index}`}
          header={header}
          options={options}
          onOptionsChange={onOptionsChange}
          onRemove={() => {
            setNewIndex(undefined);
            setRemovals(removals + 1);
            onOptionsChange(withoutHeader(options, header.index));
          }}
        />
      ))}
      <Button
        type="button"
        variant="secondary"
        icon="plus"
        disabled={options.readOnly || isNew}
        data-testid={selectors.config.headerAdd}
        onClick={() => setNewIndex(named.length + 1)}
      >
        <Trans i18nKey="config.headers.add">Add header</Trans>
      </Button>
    </>
  );
}

interface Props extends ConfigProps {
  header: Header;
  onRemove: () => void;
}

/** An HTTP header: its name can be read again, but its value can't. */
function CustomHeader({ header: { index, name }, options, onOptionsChange, onRemove }: Props) {
  return (
    <Stack gap={2} alignItems="center" wrap="wrap">
      <CheckedSetting
        label={t('config.headers.name', 'Header {{index}}', { index })}
        value={name}
        check={headerNameProblem}
        width={25}
        disabled={options.readOnly}
        testId={selectors.config.headerName(index)}
        onChange={(text) => onOptionsChange(withSetting(options, `httpHeaderName${index}`, text))}
      />
      <SecretSetting
        {...secretProps({ options, onOptionsChange }, `httpHeaderValue${index}`)}
        label={t('config.headers.value', 'Value of header {{index}}', { index })}
        width={30}
        testId={selectors.config.headerValue(index)}
      />
      <Button
        type="button"
        variant="secondary"
        fill="text"
        icon="trash-alt"
        disabled={options.readOnly}
        aria-label={t('config.headers.remove', 'Remove header {{index}}', { index })}
        data-testid={selectors.config.headerRemove(index)}
        onClick={onRemove}
      />
    </Stack>
  );
}

/** A custom HTTP header. Grafana stores names and values separately, joined by a number that starts at 1. */
interface Header {
  index: number;
  name: string;
}

/** The headers up to the first missing number, where Grafana's backend stops reading, too. */
export function headers({ jsonData }: Options): Header[] {
  const found: Header[] = [];
  for (let index = 1, name = jsonData.httpHeaderName1; name; name = jsonData[`httpHeaderName${++index}`]) {
    found.push({ index, name });
  }
  return found;
}

/**
 * Removes a header, and renumbers those after it. A saved value can't be read and therefore can't be renumbered: it is
 * cleared, to be entered again, rather than sent with the name of another header.
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

/** Describes what is wrong with a header name. An invalid name would make every request fail. */
export function headerNameProblem(name: string): string | undefined {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? undefined
    : t('config.headers.problem', 'Enter a valid header name: letters, digits, and hyphens');
}
