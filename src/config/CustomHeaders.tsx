import React, { type Ref } from 'react';

import { t, Trans } from '@grafana/i18n';
import { Stack } from '@grafana/ui';

import { selectors } from '../selectors';
import { AddButton, RowButton, useRowButtons } from '../controls/rows';
import { SecretSetting, TextSetting } from './inputs';
import {
  type ConfigProps,
  type Options,
  secretProps,
  textProps,
  withoutSecret,
  withSecret,
  withSetting,
} from './options';

/** HTTP headers that are sent with every request, for example for proxies. */
export function CustomHeaders(props: ConfigProps) {
  const { options, onOptionsChange } = props;
  const names = headerNames(options);
  const buttons = useRowButtons();
  return (
    <>
      {names.map((_, index) => (
        <CustomHeader
          key={index}
          {...props}
          index={index + 1}
          buttonRef={buttons.ref(index)}
          onRemove={() => buttons.change(index, () => onOptionsChange(withoutHeader(options, index + 1)))}
        />
      ))}
      <div>
        <AddButton
          buttonRef={buttons.ref(names.length)}
          disabled={options.readOnly}
          testId={selectors.config.headerAdd}
          onClick={() => onOptionsChange(withHeaderName(options, names.length + 1, ''))}
        >
          <Trans i18nKey="config.headers.add">Add header</Trans>
        </AddButton>
      </div>
    </>
  );
}

interface Props extends ConfigProps {
  /** Grafana stores names and values separately, joined by a number that starts at 1. */
  index: number;
  buttonRef: Ref<HTMLButtonElement>;
  onRemove: () => void;
}

/** An HTTP header: its name can be read again, but its value can't. */
function CustomHeader({ index, buttonRef, onRemove, ...props }: Props) {
  const { options, onOptionsChange } = props;
  const { value: name = '', problem } = textProps(props, `httpHeaderName${index}`);
  const secret = secretProps(props, `httpHeaderValue${index}`);
  return (
    <Stack gap={2} alignItems="flex-end" wrap="wrap">
      <TextSetting
        label={t('config.headers.name', 'Header {{index}}', { index })}
        value={name}
        problem={problem ?? headerNameProblem(name)}
        width={25}
        disabled={options.readOnly}
        testId={selectors.config.headerName(index)}
        onChange={(text) => onOptionsChange(withHeaderName(options, index, text))}
      />
      <SecretSetting
        {...secret}
        label={t('config.headers.value', 'Value of header {{index}}', { index })}
        // Values are cleared where an earlier header is removed.
        problem={secret.isConfigured || secret.value ? undefined : t('config.headers.no-value', 'Enter the value')}
        width={30}
        testId={selectors.config.headerValue(index)}
      />
      <RowButton
        icon="trash-alt"
        buttonRef={buttonRef}
        disabled={options.readOnly}
        label={t('config.headers.remove', 'Remove header {{index}}', { index })}
        testId={selectors.config.headerRemove(index)}
        onClick={onRemove}
      />
    </Stack>
  );
}

/** The names up to the first missing number, where Grafana's backend stops reading, too. */
export function headerNames({ jsonData }: Options): string[] {
  const names: string[] = [];
  for (let name = jsonData.httpHeaderName1; name !== undefined; name = jsonData[`httpHeaderName${names.length + 1}`]) {
    names.push(name);
  }
  return names;
}

/** Sets the name of a header. Unlike other settings, it stays while it is empty. */
function withHeaderName(options: Options, index: number, name: string): Options {
  return { ...options, jsonData: { ...options.jsonData, [`httpHeaderName${index}` as const]: name } };
}

/**
 * Removes a header, and renumbers those after it. A saved value can't be read and therefore can't be renumbered: it is
 * cleared, to be entered again, rather than sent with the name of another header.
 */
export function withoutHeader(options: Options, index: number): Options {
  const names = headerNames(options);
  let result = options;
  for (let target = index; target < names.length; target++) {
    const typed = options.secureJsonData?.[`httpHeaderValue${target + 1}`];
    const cleared = withoutSecret(withHeaderName(result, target, names[target]), `httpHeaderValue${target}`);
    result = typed ? withSecret(cleared, `httpHeaderValue${target}`, typed) : cleared;
  }
  const last = names.length;
  return withoutSecret(withSetting(result, `httpHeaderName${last}`, undefined), `httpHeaderValue${last}`);
}

/** Describes what is wrong with a header name. An invalid name makes every request fail. */
export function headerNameProblem(name: string): string | undefined {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? undefined
    : t('config.headers.problem', 'Enter a valid header name: letters, digits, and hyphens');
}
