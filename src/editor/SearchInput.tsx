import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';

import { getDataSet } from '../../schema/datasets';
import { SuggestInput } from '../controls/lists';
import { selectors } from '../selectors';
import { suggestOptions } from '../suggestions';
import { labelOfName } from '../texts';
import { type ControlProps } from './control';
import { partLabels } from './inputs';

interface SearchInputProps extends Pick<ControlProps, 'query' | 'dataSet' | 'datasource' | 'days' | 'onChange'> {
  testId?: string;
}

/** The automation to search for, or what the data set is searched by instead. */
export function SearchInput(props: SearchInputProps) {
  const { query, dataSet, datasource, days, testId = selectors.query.search, onChange } = props;
  const findsAutomations = dataSet.searchField === dataSet.automationField;
  const source = findsAutomations ? getDataSet('automations') : dataSet;
  const load = useCallback(
    (search: string) => suggestOptions(datasource, source, source.searchField, { days, search: search || undefined }),
    [datasource, source, days]
  );
  return (
    <SuggestInput
      label={partLabels().search}
      testId={testId}
      value={query.search}
      placeholder={
        findsAutomations ? t('editor.search.automation', 'Automation label') : labelOfName(dataSet, dataSet.searchField)
      }
      load={load}
      onChange={(search) => onChange({ search })}
    />
  );
}
