import { Subject } from 'rxjs';

import { type DataQueryRequest, type DataQueryResponse, LoadingState } from '@grafana/data';
import { locationService } from '@grafana/runtime';

import { withProgress } from './loading';
import { type Answer, Progresses } from './progress';
import { type InsightsQuery } from './query';
import { requestOf, rowsOf } from './testing/loading';

const { Streaming, Loading } = LoadingState;
const answer: DataQueryResponse = { data: [{ refId: 'A', name: 'answer', fields: [], length: 0 }] };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Runs a request against a backend that is reading. */
function run(request = requestOf('table', {}), answers: Answer[] = [{ unit: 'pages', read: 1, of: 5 }]) {
  const asked = jest.fn(async () => answers);
  const query = new Subject<DataQueryResponse>();
  const packets: DataQueryResponse[] = [];
  const interpolate = (each: InsightsQuery) => ({ ...each, search: 'replaced' });
  const running = withProgress(query, request, interpolate, new Progresses(asked)).subscribe((packet) =>
    packets.push(packet)
  );
  return { asked, query, packets, running };
}

const states = (packets: DataQueryResponse[]) => packets.map(({ state }) => state);

it('shows only a response that arrives within a second', async () => {
  const { asked, query, packets } = run();
  await jest.advanceTimersByTimeAsync(900);
  query.next(answer);
  query.complete();
  await jest.advanceTimersByTimeAsync(5000);
  expect(packets).toMatchObject([answer]);
  expect(asked).not.toHaveBeenCalled();
});

it('shows the progress, and then the response instead', async () => {
  const { asked, query, packets } = run(requestOf('table', {}), [
    { unit: 'pages', read: 1, of: 5, frame: rowsOf(1, 2) },
  ]);
  await jest.advanceTimersByTimeAsync(2100);
  // A panel shows nothing before a packet that is not Loading.
  expect(states(packets)).toEqual([Streaming, Loading, Loading]);
  expect(packets[0].data[0].name).toBe('Read 1 of 5 pages');
  expect(asked).toHaveBeenCalledWith([
    expect.objectContaining({
      refId: 'A',
      search: 'replaced',
      from: 3_600_000,
      to: 7_200_000,
      rows: true,
      elapsed: 1000,
    }),
  ]);
  query.next(answer);
  query.complete();
  await jest.advanceTimersByTimeAsync(5000);
  expect(packets).toHaveLength(4);
  expect(packets[3]).toMatchObject(answer);
  expect(packets[3].state).toBeUndefined();
  expect(new Set(packets.map(({ key }) => key)).size).toBe(1);
});

it('cancels the query and the progress requests when the panel is left', async () => {
  const { asked, query, running } = run();
  await jest.advanceTimersByTimeAsync(1500);
  running.unsubscribe();
  expect(query.observed).toBe(false);
  await jest.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(jest.getTimerCount()).toBe(0);
});

it('passes on an error of the query', async () => {
  const { query, packets } = run();
  await jest.advanceTimersByTimeAsync(1500);
  query.next({ data: [], errors: [{ message: 'the service is down' }], state: LoadingState.Error });
  expect(packets.at(-1)).toMatchObject({ data: [], state: LoadingState.Error, key: packets[0].key });
});

it.each([
  ['nothing is being read', null],
  ['the backend cannot report progress', { error: 'no' }],
])('shows nothing if %s', async (_, none) => {
  const { packets } = run(undefined, [none]);
  await jest.advanceTimersByTimeAsync(3000);
  expect(packets).toEqual([]);
});

it('requests nothing for a hidden query', async () => {
  const { asked, packets } = run(requestOf('table', { hide: true }));
  await jest.advanceTimersByTimeAsync(3000);
  expect(asked).not.toHaveBeenCalled();
  expect(packets).toEqual([]);
});

it('requests nothing if it would not be visible', async () => {
  const { asked, query, packets } = run(requestOf('piechart', {}));
  await jest.advanceTimersByTimeAsync(3000);
  query.next(answer);
  expect(asked).not.toHaveBeenCalled();
  expect(packets).toEqual([answer]);
});

describe('a refresh', () => {
  const panel = {};
  const refreshed = (format?: InsightsQuery['format']): DataQueryRequest<InsightsQuery> => ({
    ...requestOf('table', { format, measure: 'tasks' }),
    scopedVars: { __sceneObject: { text: '', value: { valueOf: () => panel } } },
  });

  it('keeps what the panel shows until the new response arrives', async () => {
    run(refreshed()).query.next(answer);
    const again = run(refreshed());
    await jest.advanceTimersByTimeAsync(3000);
    expect(again.packets).toEqual([]);
    expect(again.asked).not.toHaveBeenCalled();
    again.query.next(answer);
    expect(again.packets).toMatchObject([answer]);
  });

  it('shows progress for a different query of the panel, and for one after an error', async () => {
    const other = run(refreshed('numeric'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(states(other.packets)).toEqual([Streaming, Loading]);
    other.query.next({ data: [], state: LoadingState.Error });
    const again = run(refreshed('numeric'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(again.packets).toHaveLength(2);
  });
});

it('removes rows from a dashboard that is about to become a snapshot', async () => {
  const { packets } = run();
  await jest.advanceTimersByTimeAsync(1000);
  expect(states(packets)).toEqual([Streaming, Loading]);
  locationService.push('/d/x?shareView=snapshot');
  expect(packets.slice(2)).toMatchObject([
    { data: [], state: Streaming },
    { data: [], state: Loading },
  ]);
  await jest.advanceTimersByTimeAsync(2000);
  expect(packets).toHaveLength(4);
  locationService.push('/d/x');
  await jest.advanceTimersByTimeAsync(1000);
  expect(packets.at(-1)?.data).toHaveLength(1);
});
