import React, { type ComponentType, useState } from 'react';

import { type DataSourceApi, LoadingState, type QueryEditorProps } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';

import { defaultRange } from './explore/explore';
import { Saved } from './saved';

interface Props {
  api: DataSourceApi;
  tab: 'Variable' | 'Annotation';
  /** As saved; a new one if absent. Grafana merges the default into it. */
  saved?: Partial<DataQuery>;
}

/** The plugin's editor for the query of a variable or an annotation, without its result. */
export function QueryTab({ api, tab, saved }: Props) {
  const { editor, first } = editorOf(api, tab);
  // The plugin's classes declare more specific types of queries.
  const Editor = editor as ComponentType<QueryEditorProps<DataSourceApi>>;
  const [query, setQuery] = useState<DataQuery>({ refId: tab, ...first, ...saved });
  const [range] = useState(defaultRange);
  const data = { state: LoadingState.Done, series: [], timeRange: range };
  return (
    <>
      <section aria-label={tab}>
        <Editor datasource={api} query={query} range={range} data={data} onChange={setQuery} onRunQuery={() => {}} />
      </section>
      <Saved value={query} />
    </>
  );
}

function editorOf({ annotations, variables }: DataSourceApi, tab: Props['tab']) {
  const support = tab === 'Annotation' ? annotations : variables;
  const editor =
    tab === 'Annotation' ? annotations?.QueryEditor : variables && 'editor' in variables && variables.editor;
  return { editor, first: support?.getDefaultQuery?.() };
}
