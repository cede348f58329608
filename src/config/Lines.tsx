import { isEqual } from 'lodash';
import React, { type ClipboardEvent, useState } from 'react';

import { t } from '@grafana/i18n';
import { FieldValidationMessage, Stack, Text } from '@grafana/ui';

import { AddButton, RowButton, useRowButtons } from '../controls/rows';
import { textOf } from '../query/query';
import { selectors } from '../selectors';
import { findingText, useReport } from '../source/check';
import { TextSetting } from './inputs';
import { type ConfigProps, propertiesOf, settingProps, textProps, withProperty } from './options';
import { settingTexts } from './Setting';

/** A property of each line. */
interface Column {
  name: string;
  label: string;
  placeholder?: string;
  width: number;
  /** Reads what was typed; absent: the text itself. */
  read?: (text: string) => unknown;
}

interface Props extends ConfigProps {
  setting: 'deadlines' | 'teams';
  /** The properties of a line, given its number from 1. The first one shows a provisioned line that has none. */
  columns: (number: number) => Column[];
  addLabel: string;
  isOrdered?: boolean;
}

/** A setting that is a list: a line for each of its entries, and what the last check said about them. */
export function Lines({ setting, columns, addLabel, isOrdered, ...props }: Props) {
  const { value, disabled, onChange } = settingProps(props, setting);
  const [removing, raising, lowering] = [useRowButtons(), useRowButtons(), useRowButtons()];
  const lines: unknown[] = Array.isArray(value) ? value : [];
  const isOther = !Array.isArray(value) && textOf(value).trim() !== '';
  const { label, description } = settingTexts(setting);
  const change = (changed: unknown[]) => onChange(changed.length > 0 ? (changed as typeof value) : undefined);
  const without = (index: number) => lines.filter((_, other) => other !== index);
  const idOf = (what: string, index: number) => selectors.config.line(`${setting}-${what}-${index + 1}`);
  /** A part of a spreadsheet fills the lines and the columns from a cell on: an input would make one text of it. */
  const paste = (event: ClipboardEvent, row: number) => {
    const rows = event.clipboardData
      .getData('text')
      .split(/[\r\n]+/)
      .filter((text) => text.trim());
    const cells = columns(row + 1);
    const first = cells.findIndex(({ name }) => idOf(name, row) === (event.target as HTMLElement).dataset.testid);
    if (first < 0 || (rows.length < 2 && !rows.join().includes('\t'))) {
      return;
    }
    event.preventDefault();
    const filled = rows.map((text, down) =>
      text.split('\t').reduce<unknown>(
        (line, cell, right) => {
          const { name, read = String } = cells[first + right] ?? {};
          return name ? withProperty(line, name, read(cell.trim())) : line;
        },
        lines[row + down]
      )
    );
    change([...lines.slice(0, row), ...filled, ...lines.slice(row + filled.length)]);
  };
  return (
    <>
      <Heading label={label} description={description} />
      {isOther && (
        <TextSetting
          {...textProps(props, setting)}
          label={label}
          problem={t('config.lines.no-list', 'Must be a list. Add a line to replace it')}
          disabled
          testId={selectors.config.lines(setting)}
        />
      )}
      {lines.map((line, index) => {
        const of = {
          line: t('config.lines.line', '{{setting}}, line {{number}}', { setting: label, number: index + 1 }),
        };
        const move = (to: number) => {
          const moved = without(index);
          moved.splice(to, 0, line);
          // The button of the same line and direction keeps the focus, unless the line can't be moved on.
          const isRaised = to < index ? to > 0 : to === lines.length - 1;
          (isRaised ? raising : lowering).change(to, () => change(moved));
        };
        return (
          <Stack key={index} gap={1} alignItems="flex-end" wrap="wrap" role="group" aria-label={of.line}>
            <Cells
              onPaste={(event) => paste(event, index)}
              line={line}
              columns={columns(index + 1)}
              disabled={disabled}
              idOf={(name) => idOf(name, index)}
              onChange={(changed) => change(lines.map((each, other) => (other === index ? changed : each)))}
            />
            {isOrdered && (
              <>
                <RowButton
                  icon="arrow-up"
                  label={t('config.lines.up', 'Move {{line}} up', of)}
                  buttonRef={raising.ref(index)}
                  disabled={disabled || index === 0}
                  testId={idOf('up', index)}
                  onClick={() => move(index - 1)}
                />
                <RowButton
                  icon="arrow-down"
                  label={t('config.lines.down', 'Move {{line}} down', of)}
                  buttonRef={lowering.ref(index)}
                  disabled={disabled || index === lines.length - 1}
                  testId={idOf('down', index)}
                  onClick={() => move(index + 1)}
                />
              </>
            )}
            <RowButton
              icon="trash-alt"
              label={t('config.lines.remove', 'Remove {{line}}', of)}
              buttonRef={removing.ref(index)}
              disabled={disabled}
              testId={idOf('remove', index)}
              onClick={() => removing.change(index, () => change(without(index)))}
            />
          </Stack>
        );
      })}
      <Findings uid={props.options.uid} setting={setting} />
      <div>
        <AddButton
          buttonRef={removing.ref(lines.length)}
          disabled={disabled}
          testId={selectors.config.lineAdd(setting)}
          onClick={() => change([...lines, {}])}
        >
          {addLabel}
        </AddButton>
      </div>
    </>
  );
}

/** The name and the help of a setting of several controls. */
export function Heading({ label, description = '' }: { label: string; description?: string }) {
  return (
    <>
      <Text element="p" variant="h5">
        {label}
      </Text>
      <Text color="secondary">{description}</Text>
    </>
  );
}

/** What the last check found about a setting. */
export function Findings({ uid, setting }: { uid: string; setting: string }) {
  return useReport(uid)
    .filter((finding) => finding.setting === setting)
    .map((finding) =>
      finding.severity === 'info' ? (
        <Text key={finding.text} element="p" color="secondary">
          {findingText(finding)}
        </Text>
      ) : (
        <FieldValidationMessage key={finding.text}>{findingText(finding)}</FieldValidationMessage>
      )
    );
}

interface CellsProps {
  line: unknown;
  columns: Column[];
  disabled?: boolean;
  idOf: (name: string) => string;
  onPaste: (event: ClipboardEvent) => void;
  onChange: (line: unknown) => void;
}

function Cells({ line, columns, disabled, idOf, onPaste, onChange }: CellsProps) {
  const values = propertiesOf(line) ?? { [columns[0].name]: textOf(line) };
  return columns.map(({ name, read = (text) => text, ...shown }) => (
    <Cell
      key={name}
      {...shown}
      disabled={disabled}
      onPaste={onPaste}
      testId={idOf(name)}
      value={Array.isArray(values[name]) ? values[name].map(textOf).join(', ') : textOf(values[name])}
      read={read}
      onChange={(text) => onChange(withProperty(values, name, read(text)))}
    />
  ));
}

type CellProps = React.ComponentProps<typeof TextSetting> & { read: (text: string) => unknown };

/** Shows what is typed for as long as it is read as what is saved: a list has no comma at its end. */
function Cell({ value = '', read, onChange, ...props }: CellProps) {
  const [typed, setTyped] = useState(value);
  return (
    <TextSetting
      {...props}
      value={isEqual(read(typed), read(value)) ? typed : value}
      onChange={(text) => {
        setTyped(text);
        onChange(text);
      }}
    />
  );
}
