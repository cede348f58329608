import React, { useState } from 'react';

import { t } from '@grafana/i18n';
import { Button, Stack } from '@grafana/ui';

import { selectors } from '../selectors';
import { type Header, headerNameProblem } from './headers';
import { type ConfigProps, withoutSecret, withSecret, withSetting } from './options';
import { SecretSetting } from './SecretSetting';
import { TextSetting } from './TextSetting';

interface Props extends ConfigProps {
  header: Header;
  onRemove: () => void;
}

/** One HTTP header: its name can be read again, its value cannot. */
export function CustomHeader({ header: { index, name }, options, onOptionsChange, onRemove }: Props) {
  const [rejected, setRejected] = useState<string>();
  const value = `httpHeaderValue${index}` as const;
  const changeName = (text: string) => {
    const isWrong = Boolean(headerNameProblem(text));
    setRejected(isWrong ? text : undefined);
    if (!isWrong) {
      onOptionsChange(withSetting(options, `httpHeaderName${index}`, text));
    }
  };
  return (
    <Stack gap={2} alignItems="center" wrap="wrap">
      <TextSetting
        label={t('config.headers.name', 'Header {{index}}', { index })}
        value={rejected ?? name}
        problem={rejected === undefined ? undefined : headerNameProblem(rejected)}
        width={25}
        disabled={options.readOnly}
        testId={selectors.config.headerName(index)}
        onChange={changeName}
      />
      <SecretSetting
        label={t('config.headers.value', 'Value of header {{index}}', { index })}
        value={options.secureJsonData?.[value]}
        isConfigured={Boolean(options.secureJsonFields?.[value])}
        width={30}
        disabled={options.readOnly}
        testId={selectors.config.headerValue(index)}
        onChange={(text) => onOptionsChange(withSecret(options, value, text))}
        onReset={() => onOptionsChange(withoutSecret(options, value))}
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
