import { languageNotice } from './boardLanguage';

const table = { dashboardUID: 'insights-operations-pt-br', panelPluginId: 'table' };

it('says which setting a dashboard in Portuguese needs', () => {
  for (const names of [undefined, 'en-US', 'es-ES', 'api'] as const) {
    expect(languageNotice(table, names)).toMatchObject({
      severity: 'info',
      text: expect.stringContaining('set Names to Português (Brasil)'),
    });
  }
  expect(languageNotice({ ...table, dashboardUID: 'insights-runners-es-es' }, 'en-US')?.text).toContain('Español');
});

it.each([
  ['the names are in its language', table, 'pt-BR'],
  ['the dashboard is in English', { ...table, dashboardUID: 'insights-operations' }, 'pt-BR'],
  ['the dashboard is not a bundled one', { ...table, dashboardUID: 'robots-pt-br' }, 'en-US'],
  ['there is no dashboard', { panelPluginId: 'table' }, 'en-US'],
  ['the panel has no columns', { ...table, panelPluginId: 'stat' }, 'en-US'],
] as const)('says nothing if %s', (_, request, names) => {
  expect(languageNotice(request, names)).toBeUndefined();
});
