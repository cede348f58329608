import { CoreApp, createDataFrame, type QueryResultMetaNotice } from '@grafana/data';

import { forViewers, withNoticesOnce } from './notices';

const frame = (...notices: QueryResultMetaNotice[]) => createDataFrame({ fields: [], meta: { notices } });
const warning = (text: string) => ({ severity: 'warning' as const, text });
const info = (text: string) => ({ severity: 'info' as const, text });

it('joins the notices of a severity, because Grafana shows only the last one', () => {
  const [{ meta }] = withNoticesOnce(
    [frame(info('rounded.'), warning('cut'), warning('moved'))],
    [info('not filtered')]
  );
  expect(meta?.notices).toEqual([info('rounded. not filtered.'), warning('cut. moved.')]);
});

it('shows each sentence once, however many lanes there are', () => {
  const frames = withNoticesOnce([frame(info('cut')), frame(info('cut')), frame()], [info('not filtered')]);
  expect(frames.map(({ meta }) => meta?.notices)).toEqual([[info('cut. not filtered.')], [], []]);
});

it('keeps a notice that is the only one of its severity as it is', () => {
  const [{ meta }] = withNoticesOnce([frame({ ...info('rounded.'), link: 'https://a.example' })]);
  expect(meta?.notices).toEqual([{ ...info('rounded.'), link: 'https://a.example' }]);
});

it('changes nothing without notices', () => {
  const frames = [frame()];
  expect(withNoticesOnce(frames)).toBe(frames);
});

describe('the notice that a filter excludes all rows', () => {
  const excluded = info('0 of 313 rows match: no row satisfies state = "TIMEOUT". Change or remove this filter');
  const shown = (groupBy: string[] | undefined, app: CoreApp) =>
    forViewers([frame(excluded, info('rounded.'))], { refId: 'A', groupBy }, app)[0].meta?.notices;

  it('is not for who looks at a number', () => {
    expect(shown(undefined, CoreApp.Dashboard)).toEqual([info('rounded.')]);
  });

  it.each([
    ['in the editor', undefined, CoreApp.PanelEditor],
    ['in Explore', undefined, CoreApp.Explore],
    ['where there is no group', ['state'], CoreApp.Dashboard],
  ])('is shown %s', (_, groupBy, app) => {
    expect(shown(groupBy, app)).toEqual([excluded, info('rounded.')]);
  });
});
