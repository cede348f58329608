import { isEqual, noop } from 'lodash';
import React, { type Ref, useState } from 'react';

import { t, Trans } from '@grafana/i18n';
import { FieldValidationMessage, Stack } from '@grafana/ui';

import { type Deadline } from '../../schema/settings';
import { AddButton, RemoveButton, useRowButtons } from '../controls/rows';
import { textOf } from '../query/query';
import { selectors } from '../selectors';
import { findingText, useReport } from '../source/check';
import { type DeadlineName, daysIn, deadlineNames, setDeadline, textsOf } from './deadlineLines';
import { TextSetting } from './inputs';
import { type ConfigProps, settingProps, textProps } from './options';
import { settingTexts } from './Setting';

/** What must be done by when: a line for each deadline, and what the last check said about them. */
export function Deadlines(props: ConfigProps) {
  const { value, disabled, onChange } = settingProps(props, 'deadlines');
  const buttons = useRowButtons();
  const lines: Deadline[] = Array.isArray(value) ? value : [];
  const isOther = !Array.isArray(value) && textOf(value).trim() !== '';
  const findings = useReport(props.options.uid).filter(({ key }) => key?.startsWith('deadline-'));
  const change = (changed: Deadline[]) => onChange(changed.length > 0 ? changed : undefined);
  return (
    <>
      {isOther && (
        <TextSetting
          {...textProps(props, 'deadlines')}
          label={settingTexts('deadlines').label}
          problem={t('config.deadlines.no-list', 'Must be a list. Add a deadline to replace it')}
          disabled
          testId={selectors.config.deadlines}
          onChange={noop}
        />
      )}
      {lines.map((line, index) => (
        <Line
          key={index}
          number={index + 1}
          line={line}
          disabled={disabled}
          buttonRef={buttons.ref(index)}
          onChange={(changed) => change(lines.map((each, other) => (other === index ? changed : each)))}
          onRemove={() => buttons.remove(index, () => change(lines.filter((_, other) => other !== index)))}
        />
      ))}
      {findings.map((finding) => (
        <FieldValidationMessage key={finding.text}>{findingText(finding)}</FieldValidationMessage>
      ))}
      <div>
        <AddButton
          buttonRef={buttons.ref(lines.length)}
          disabled={disabled}
          testId={selectors.config.deadlineAdd}
          onClick={() => change([...lines, {}])}
        >
          <Trans i18nKey="config.deadlines.add">Add deadline</Trans>
        </AddButton>
      </div>
    </>
  );
}

interface LineProps {
  /** As messages name it, from 1. */
  number: number;
  line: Deadline;
  disabled?: boolean;
  buttonRef: Ref<HTMLButtonElement>;
  onChange: (line: Deadline) => void;
  onRemove: () => void;
}

const widths: Record<DeadlineName, number> = {
  automation: 25,
  by: 9,
  from: 9,
  days: 25,
  timezone: 22,
  count: 11,
  within: 9,
};

/** A deadline: its fields beside each other. */
function Line({ number, line, disabled, buttonRef, onChange, onRemove }: LineProps) {
  const labels: Record<DeadlineName, string> = {
    automation: t('config.deadlines.automation', 'Automation {{number}}', { number }),
    by: t('config.deadlines.by', 'Done by'),
    from: t('config.deadlines.from', 'From'),
    days: t('config.deadlines.days', 'Days'),
    timezone: t('config.deadlines.timezone', 'Time zone'),
    count: t('config.deadlines.count', 'Successes'),
    within: t('config.deadlines.within', 'Or within'),
  };
  const placeholders: Partial<Record<DeadlineName, string>> = {
    by: '07:00',
    days: t('config.deadlines.every-day', 'Every day'),
    timezone: t('config.deadlines.of-calendar', 'Calendar’s'),
    count: '1',
    within: '45m',
  };
  const texts = textsOf(line);
  return (
    <Stack gap={1} alignItems="flex-start" wrap="wrap" role="group" aria-label={labels.automation}>
      {deadlineNames.map((name) => (
        <Cell
          key={name}
          label={labels[name]}
          placeholder={placeholders[name]}
          width={widths[name]}
          disabled={disabled}
          testId={selectors.config.deadline(`${name}-${number}`)}
          value={texts[name]}
          isList={name === 'days'}
          onChange={(text) => onChange(setDeadline(line, name, text))}
        />
      ))}
      <RemoveButton
        buttonRef={buttonRef}
        disabled={disabled}
        label={t('config.deadlines.remove', 'Remove deadline {{number}}', { number })}
        testId={selectors.config.deadlineRemove(number)}
        onClick={onRemove}
      />
    </Stack>
  );
}

interface CellProps extends React.ComponentProps<typeof TextSetting> {
  /** The text is saved as the list of its days, which drops the comma at its end. */
  isList: boolean;
}

/** Shows what is typed for as long as it is saved as something equal. */
function Cell({ value, isList, onChange, ...props }: CellProps) {
  const [typed, setTyped] = useState(value);
  return (
    <TextSetting
      {...props}
      value={isList && isEqual(daysIn(typed), daysIn(value)) ? typed : value}
      onChange={(text) => {
        setTyped(text);
        onChange(text);
      }}
    />
  );
}
