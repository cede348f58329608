import { isEqual } from 'lodash';
import React, { useState } from 'react';

import { type TimeRange } from '@grafana/data';
import { t } from '@grafana/i18n';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';
import { type ComboboxOption } from '@grafana/ui';

import {
  type DataSet,
  type DataSetName,
  type Field,
  getDataSet,
  groupableFields,
  teamField,
} from '../../schema/datasets';
import { described } from '../../schema/settings';
import { KeepFocus } from '../controls/KeepFocus';
import { Select } from '../controls/lists';
import { TextInput } from '../controls/texts';
import { changeDataSet } from '../query/fit';
import { type InsightsVariableQuery, isVariable, withParts } from '../query/query';
import { selectors } from '../selectors';
import { daysBack, defaultDays, type EditorSource } from '../source/suggestions';
import { labelOf } from '../query/texts';
import { ResetAlert, UnknownVariables } from './alerts';
import { type ControlProps, describedOptions, useSaved, variableOptions } from './control';
import { Filters } from './Filters';
import { partLabels } from './labels';
import { DataSetChoice, Parts } from './parts';

interface Props {
  query: InsightsVariableQuery;
  datasource: EditorSource;
  range?: TimeRange;
  onChange: (query: InsightsVariableQuery) => void;
}

/** Edits a variable query: data set, field, and filters. */
export function VariableEditor({ query: saved, datasource, range, onChange }: Props) {
  const [reset, setReset] = useState<string>();
  const { query, save } = useSaved(saved, onChange);
  const dataSet = getDataSet(query.queryType);
  const change = (parts: Partial<InsightsVariableQuery>) => {
    if (save(withParts(query, parts))) {
      setReset(undefined);
    }
  };
  const changeSet = (queryType: DataSetName) => {
    const { refId, filters, field = dataSet.searchField } = query;
    const fitted = changeDataSet({ refId, queryType: query.queryType, filters }, queryType).query;
    const to = getDataSet(queryType);
    const isKept = isVariable(field) || listed(to).some(({ name }) => name === field);
    change({ queryType, filters: fitted.filters, field: isKept ? field : to.searchField });
    const parts = [!isKept && fieldLabel(), !isEqual(fitted.filters, filters) && partLabels().filters].filter(Boolean);
    const values = { dataSet: labelOf(to), parts: parts.join(', '), interpolation: { escapeValue: false } };
    setReset(
      parts.length > 0
        ? t('variable.reset', 'Reset, because it does not apply to {{dataSet}}: {{parts}}', values)
        : undefined
    );
  };
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: query.days ?? daysBack(range) ?? defaultDays,
    seenFields: [],
    onChange: change,
  };
  return (
    <KeepFocus>
      <EditorRows>
        <EditorRow>
          <DataSetChoice value={query.queryType} onChange={changeSet} />
          <Select
            label={fieldLabel()}
            testId={selectors.query.field}
            width={25}
            options={[...describedOptions(listed(dataSet)), ...dueOptions(dataSet), ...variableOptions(control)]}
            value={query.field ?? dataSet.searchField}
            onChange={(field) => change({ field })}
          />
          <TextInput
            label={t('variable.search.label', 'Search')}
            placeholder={t('variable.search.placeholder', 'Only values that contain this text')}
            value={query.search}
            testId={selectors.query.search}
            onChange={(search) => change({ search })}
          />
          <Parts parts={['days']} {...control} />
        </EditorRow>
        <EditorRow>
          <Filters key={dataSet.name} {...control} />
        </EditorRow>
        <UnknownVariables names={datasource.unknownVariables(saved)} />
        <ResetAlert text={reset} onDismiss={() => setReset(undefined)} />
      </EditorRows>
    </KeepFocus>
  );
}

/** The automations that have a deadline, by which a dashboard can hide what is about deadlines. */
function dueOptions({ name }: DataSet): ComboboxOption[] {
  const { label, help } = described.deadlines;
  return name === 'tasks' ? describedOptions([{ name: 'deadlines', label, description: help }]) : [];
}

function listed(dataSet: DataSet): Field[] {
  return groupableFields(dataSet).filter((field) => dataSet.fields.includes(field) || field.name === teamField);
}

const fieldLabel = (): string => t('variable.field', 'Field');
