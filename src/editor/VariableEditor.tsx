import React from 'react';

import { type TimeRange } from '@grafana/data';
import { t } from '@grafana/i18n';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';

import { getDataSet } from '../../datasets/datasets';
import { changeDataSet } from '../fit';
import { type InsightsVariableQuery } from '../query';
import { selectors } from '../selectors';
import { daysBack, defaultDays, type EditorSource } from '../suggestions';
import { fieldChoices } from './control';
import { Filters } from './Filters';
import { DaysInput, Select, TextInput } from './inputs';
import { DataSetSelect } from './selects';

interface Props {
  query: InsightsVariableQuery;
  datasource: EditorSource;
  range?: TimeRange;
  onChange: (query: InsightsVariableQuery) => void;
}

/** Edits a variable query: data set, field, and filters. */
export function VariableEditor({ query, datasource, range, onChange }: Props) {
  const dataSet = getDataSet(query.queryType);
  const groupable = dataSet.fields.filter((field) => field.groupable);
  const { options, chosen } = fieldChoices({ dataSet, datasource }, groupable);
  const change = (parts: Partial<InsightsVariableQuery>) => {
    const changed = Object.entries({ ...query, ...parts }).filter(([, value]) => value !== undefined && value !== '');
    onChange({ refId: query.refId, ...Object.fromEntries(changed) });
  };
  return (
    <EditorRows>
      <EditorRow>
        <DataSetSelect
          name={query.queryType}
          testId={selectors.variable.dataSet}
          onChange={(queryType) => {
            const { filters } = changeDataSet({ refId: query.refId, filters: query.filters }, queryType).query;
            change({ queryType, filters, field: getDataSet(queryType).searchField });
          }}
        />
        <Select
          label={t('variable.field', 'Field')}
          testId={selectors.variable.field}
          width={25}
          options={options}
          value={query.field ? chosen(query.field) : null}
          onChange={(field) => change({ field })}
        />
        <TextInput
          label={t('variable.search.label', 'Search')}
          placeholder={t('variable.search.placeholder', 'Only values that contain this text')}
          value={query.search}
          testId={selectors.variable.search}
          onChange={(search) => change({ search })}
        />
        <DaysInput days={query.days} testId={selectors.variable.days} onChange={(days) => change({ days })} />
      </EditorRow>
      <EditorRow>
        <Filters
          key={dataSet.name}
          query={query}
          dataSet={dataSet}
          datasource={datasource}
          days={query.days ?? daysBack(range) ?? defaultDays}
          seenFields={[]}
          onChange={({ filters }) => change({ filters: filters?.length ? filters : undefined })}
        />
      </EditorRow>
    </EditorRows>
  );
}
