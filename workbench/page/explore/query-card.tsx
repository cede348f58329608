import { CoreApp, type DataSourceApi, type PanelData, type TimeRange } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { Alert, Button, Stack, Text } from '@grafana/ui';
import React, { useState } from 'react';
import type { Plugin } from '../plugin';

interface Props {
  plugin: Plugin;
  api: DataSourceApi;
  query: DataQuery;
  range: TimeRange;
  data: PanelData;
  onChange: (query: DataQuery) => void;
  onRun: () => void;
}

/** One query as Explore shows it: its letter, the plugin's editor and, on demand, the plugin's help. */
export function QueryCard({ plugin, api, query, range, data, onChange, onRun }: Props) {
  const [help, setHelp] = useState(false);
  const { QueryEditor, QueryEditorHelp } = plugin.components;
  return (
    <Stack direction="column" gap={1}>
      <Stack justifyContent="space-between" alignItems="center">
        <Text weight="medium" color="link">
          {query.refId}
        </Text>
        {QueryEditorHelp && (
          <Button
            {...{ size: 'sm', variant: 'secondary', fill: 'text', icon: 'question-circle' }}
            aria-expanded={help}
            onClick={() => setHelp(!help)}
            data-testid="workbench-help-toggle"
          >
            {help ? 'Hide query help' : 'Show query help'}
          </Button>
        )}
      </Stack>
      {help && QueryEditorHelp && (
        <div data-testid="workbench-help">
          <QueryEditorHelp
            datasource={api}
            query={query}
            onClickExample={(example) => {
              onChange({ ...query, ...example });
              onRun();
            }}
          />
        </div>
      )}
      {QueryEditor ? (
        <QueryEditor
          {...{ datasource: api, query, range, data, onChange }}
          onRunQuery={onRun}
          queries={[query]}
          app={CoreApp.Explore}
        />
      ) : (
        <Alert severity="warning" title="The plugin has no query editor" />
      )}
    </Stack>
  );
}
