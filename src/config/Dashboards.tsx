import React, { useState } from 'react';

import { t } from '@grafana/i18n';
import { config, getBackendSrv, isFetchError } from '@grafana/runtime';
import { Alert, Button, Stack, TextLink } from '@grafana/ui';

import pluginJson from '../plugin.json';
import { type ConfigProps, type Options, readSetting } from './options';

const { id, includes, info } = pluginJson;

/** Grafana allows 40 characters. */
const longestUid = 40 - 'insights-wall-'.length;

/** Imports a dashboard, and returns its tag. A public wall needs the UID of its data source, so each data source has its own. */
async function importFrom(path: string, { id: number, uid, name }: Options): Promise<string> {
  const server = getBackendSrv();
  const { __inputs, ...read } = await server.get(`public/plugins/${id}/${path}`);
  const wall = { uid: `insights-wall-${uid.length > longestUid ? number : uid}`, title: `${read.title}: ${name}` };
  const dashboard = __inputs ? { ...JSON.parse(JSON.stringify(read).replaceAll('${datasource}', uid)), ...wall } : read;
  const quiet = { showErrorAlert: false };
  const saved = await server.get(`/api/dashboards/uid/${dashboard.uid}`, {}, undefined, quiet).catch(() => undefined);
  const how = { overwrite: true, folderUid: saved?.meta.folderUid, message: info.version };
  await server.post('/api/dashboards/db', { dashboard, ...how }, quiet);
  return dashboard.tags[0];
}

/** Imports what Grafana's tab of dashboards can't: the language of Names, and a wall. */
export function Dashboards({ options }: ConfigProps) {
  const [result, setResult] = useState<{ imported: number; tag: string; problem: string }>();
  const names = readSetting(options, 'names');
  const folder = ['api', 'en-US'].includes(names) ? '' : `locales/${names}/`;
  const paths = ['wall/wall.json', ...includes.map(({ path }) => path)];
  const [isBusy, setIsBusy] = useState(false);
  const importAll = async () => {
    const now = { imported: 0, tag: '', problem: '' };
    setResult(undefined);
    setIsBusy(true);
    for (const path of paths) {
      try {
        now.tag = await importFrom(folder + path, options);
        now.imported++;
      } catch (error) {
        now.problem = isFetchError(error) ? error.data.message : String(error);
      }
    }
    setResult(now);
    setIsBusy(false);
  };
  return (
    <Stack direction="column" alignItems="flex-start" gap={1}>
      {t(
        'config.dashboards.description',
        'In the language of Names, each with a data source picker, and a wall of this data source, which can be shared publicly. Those that exist are replaced.'
      )}
      <Button
        type="button"
        variant="secondary"
        icon={isBusy ? 'spinner' : 'import'}
        aria-busy={isBusy} // A disabled button would lose the focus.
        onClick={isBusy ? undefined : importAll}
      >
        {t('config.dashboards.import', 'Import dashboards')}
      </Button>
      {result && (
        <Alert
          severity={result.problem ? 'warning' : 'success'}
          title={t('config.dashboards.imported', 'Dashboards: imported {{imported}} of {{all}}', {
            imported: result.imported,
            all: paths.length,
          })}
        >
          {result.problem}{' '}
          <TextLink href={`${config.appSubUrl}/dashboards?tag=${result.tag}`} external>
            {t('config.dashboards.show', 'Show')}
          </TextLink>
        </Alert>
      )}
    </Stack>
  );
}
