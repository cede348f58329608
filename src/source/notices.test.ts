import { createDataFrame, type QueryResultMetaNotice } from '@grafana/data';

import { withNoticesOnce } from './frames';

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
