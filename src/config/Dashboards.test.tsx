import { screen } from '@testing-library/react';

import { setBackendSrv } from '@grafana/runtime';

import { includes } from '../plugin.json';
import { configure } from '../testing/configuring';
import { Dashboards } from './Dashboards';
import { type Options } from './options';

const post = jest.fn();
const wall = { title: 'Wall', tags: ['insights'], __inputs: [{}], panels: [{ datasource: { uid: '${datasource}' } }] };
const other = { title: 'Today', tags: ['insights'], uid: 'insights-operations', panels: [] };
const get = jest.fn(async (path: string) => {
  if (path.startsWith('/api')) {
    return path.endsWith(other.uid) ? { meta: { folderUid: 'robots' } } : Promise.reject({ status: 404 });
  }
  return path.endsWith('wall.json') ? wall : other;
});

beforeEach(() => {
  jest.clearAllMocks();
  setBackendSrv({ get, post } as never);
});

async function importAs(parts: Partial<Options> = {}) {
  const { user } = configure(Dashboards, { uid: 'abc', ...parts });
  await user.click(screen.getByRole('button', { name: 'Import dashboards' }));
  return { user, link: await screen.findByRole('link', { name: /^Show/ }) };
}

it.each([
  [undefined, ''],
  ['api', ''],
  ['es-ES', 'locales/es-ES/'],
] as const)('imports every dashboard in the language of Names: %s', async (names, folder) => {
  expect((await importAs({ jsonData: { names } })).link).toHaveAttribute('href', '/dashboards?tag=insights');
  const root = `public/plugins/insights-reporting-datasource/${folder}`;
  const read = get.mock.calls.map(([path]) => path).filter((path) => !path.startsWith('/api'));
  expect(read).toEqual(['wall/wall.json', ...includes.map(({ path }) => path)].map((path) => root + path));
  expect(post.mock.calls[1][1]).toMatchObject({ dashboard: other, overwrite: true, folderUid: 'robots' });
  expect(screen.getByText(`Dashboards: imported ${includes.length + 1} of ${includes.length + 1}`)).toBeInTheDocument();
});

it('is busy until all are imported, and says nothing of an earlier import meanwhile', async () => {
  const { user } = await importAs();
  const button = screen.getByRole('button', { name: 'Import dashboards' });
  let answer = (_: object) => {};
  post.mockClear().mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  await user.dblClick(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(button).toHaveFocus();
  expect(screen.queryByText(/^Dashboards: imported/)).not.toBeInTheDocument();
  answer({});
  expect(await screen.findByText(/^Dashboards: imported/)).toBeInTheDocument();
  expect(button).toHaveAttribute('aria-busy', 'false');
  expect(post).toHaveBeenCalledTimes(includes.length + 1);
});

it.each([
  ['a'.repeat(26), 'Insights', 'a'.repeat(26)],
  ['a'.repeat(27), 'x'.repeat(60), '7'], // Grafana's UIDs have at most 40 characters.
  ['abc', `It's "$&" \${datasource} 😀`, 'abc'],
])('makes a wall for this data source, by its UID: %s, %s', async (uid, name, own) => {
  await importAs({ uid, id: 7, name });
  const panels = [{ datasource: { uid } }];
  const made = { uid: `insights-wall-${own}`, title: `Wall: ${name}`, tags: ['insights'], panels };
  expect(post.mock.calls[0][1].dashboard).toEqual(made);
});

it('says which were not imported, and why', async () => {
  const refusal = { status: 400, data: { message: 'Cannot save provisioned dashboard' } };
  post.mockResolvedValueOnce({}).mockRejectedValue(refusal);
  await importAs();
  expect(screen.getByText(`Dashboards: imported 1 of ${includes.length + 1}`)).toBeInTheDocument();
  expect(screen.getByText(/Cannot save provisioned dashboard/)).toBeInTheDocument();
});
