import { omit, omitBy } from 'lodash';
import React, { useState } from 'react';

import { type TimeRange } from '@grafana/data';
import { t } from '@grafana/i18n';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';

import { type DataSetName, getDataSet } from '../../schema/datasets';
import { changeDataSet, type Fitted } from '../fit';
import { normalize } from '../normalize';
import { type InsightsVariableQuery, isEmpty } from '../query';
import { selectors } from '../selectors';
import { daysBack, defaultDays, type EditorSource } from '../suggestions';
import { InvalidAlert, ResetAlert } from './alerts';
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
export function VariableEditor({ query: saved, datasource, range, onChange }: Props) {
  const [reset, setReset] = useState<Fitted['reset']>([]);
  const { query, invalid } = normalize(saved);
  const dataSet = getDataSet(query.queryType);
  const groupable = dataSet.fields.filter((field) => field.groupable);
  const { options, chosen } = fieldChoices({ dataSet, datasource }, groupable);
  const change = (parts: Partial<InsightsVariableQuery>, remaining: object = omit(invalid, Object.keys(parts))) => {
    setReset([]);
    onChange({ refId: query.refId, ...omitBy({ ...query, ...remaining, ...parts }, isEmpty) });
  };
  const changeSet = (queryType: DataSetName) => {
    const { refId, filters } = query;
    const fitted = changeDataSet({ refId, queryType: query.queryType, filters }, queryType);
    change({ queryType, filters: fitted.query.filters, field: getDataSet(queryType).searchField });
    setReset(fitted.reset);
  };
  return (
    <EditorRows>
      <InvalidAlert invalid={invalid} onRemove={() => change({}, {})} />
      <EditorRow>
        <DataSetSelect name={query.queryType} testId={selectors.variable.dataSet} onChange={changeSet} />
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
          onChange={({ filters }) => change({ filters })}
        />
      </EditorRow>
      <ResetAlert query={query} reset={reset} onDismiss={() => setReset([])} />
    </EditorRows>
  );
}
