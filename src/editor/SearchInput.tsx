import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';

import { getDataSet } from '../../datasets/datasets';
import { selectors } from '../selectors';
import { fetchSuggestions, suggestionOptions } from '../suggestions';
import { type ControlProps } from './control';
import { Labeled } from './Labeled';
import { SuggestInput } from './SuggestInput';

interface Props extends Pick<ControlProps, 'query' | 'dataSet' | 'datasource' | 'days' | 'onChange'> {
  testId?: string;
}

/** The automation or the runner that is searched for. Labels of automations are what tasks are searched by, too. */
export function SearchInput({ query, dataSet, datasource, days, testId = selectors.query.search, onChange }: Props) {
  const isRunner = dataSet.name === 'runners';
  const source = getDataSet(isRunner ? 'runners' : 'automations');
  const load = useCallback(
    (search: string) =>
      suggestionOptions(
        fetchSuggestions(datasource, source, source.searchField, { days, search: search || undefined })
      ),
    [datasource, source, days]
  );
  return (
    <Labeled label={t('editor.search.label', 'Search')}>
      {({ id }) => (
        <SuggestInput
          id={id}
          testId={testId}
          value={query.search}
          placeholder={
            isRunner
              ? t('editor.search.runner', 'Runner identifier')
              : t('editor.search.automation', 'Automation label')
          }
          load={load}
          onChange={(search) => onChange({ search })}
        />
      )}
    </Labeled>
  );
}
