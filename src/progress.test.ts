import { type Answer, Progresses, type Sent } from './progress';

const query = (refId: string): Sent => ({ refId, from: 0, to: 1, intervalMs: 1, rows: true });
const pages = (read: number): Answer => ({ unit: 'pages', read });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The requests: the queries of each. */
function asking(answer = (refId: string): Answer => pages(refId.charCodeAt(0))) {
  const asked: string[] = [];
  const progresses = new Progresses(async (queries) => {
    asked.push(queries.map(({ refId, elapsed }) => `${refId} ${elapsed}`).join(', '));
    return queries.map(({ refId }) => answer(refId));
  });
  return { progresses, asked };
}

it('requests nothing for a query that takes less than a second', async () => {
  const { progresses, asked } = asking();
  const watching = progresses.watch([query('A')]).subscribe();
  await jest.advanceTimersByTimeAsync(999);
  watching.unsubscribe();
  await jest.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

it('sends a request every second while there is a subscriber', async () => {
  const { progresses, asked } = asking();
  const told: Answer[][] = [];
  const watching = progresses.watch([query('A'), query('B')]).subscribe((answers) => told.push(answers));
  await jest.advanceTimersByTimeAsync(3200);
  expect(asked).toEqual(['A 1000, B 1000', 'A 2000, B 2000', 'A 3000, B 3000']);
  expect(told).toHaveLength(3);
  expect(told[0]).toEqual([pages(65), pages(66)]);
  watching.unsubscribe();
  await jest.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(3);
  expect(jest.getTimerCount()).toBe(0);
});

it('combines all panels of a page, and returns its own progress to each', async () => {
  const { progresses, asked } = asking();
  const told: Record<string, Answer[]> = {};
  for (const refId of 'ABCDEFGHIJKL') {
    progresses.watch([query(refId)]).subscribe((answers) => (told[refId] = answers));
    await jest.advanceTimersByTimeAsync(10);
  }
  await jest.advanceTimersByTimeAsync(4100);
  expect(asked.length).toBeLessThanOrEqual(5);
  expect(asked.at(-1)?.split(', ')).toHaveLength(12);
  expect(told.L).toEqual([pages(76)]);
});

it('waits for a response before the next request, and continues after an error', async () => {
  let asked = 0;
  let fail = () => {};
  const progresses = new Progresses(() => {
    asked += 1;
    return new Promise((_, reject) => (fail = () => reject(new Error('no such resource'))));
  });
  const watching = progresses.watch([query('A')]).subscribe();
  await jest.advanceTimersByTimeAsync(5000);
  expect(asked).toBe(1);
  fail();
  await jest.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(2);
  watching.unsubscribe();
});

it('takes turns if there are more queries than the backend accepts', async () => {
  const { progresses, asked } = asking();
  const told = new Set<number>();
  Array.from({ length: 150 }, (_, panel) => progresses.watch([query('A')]).subscribe(() => told.add(panel)));
  await jest.advanceTimersByTimeAsync(2100);
  expect(told.size).toBe(150);
  await jest.advanceTimersByTimeAsync(4000);
  expect(asked.length).toBeLessThanOrEqual(8);
  expect(Math.max(...asked.map((each) => each.split(', ').length))).toBe(100);
});

it('requests nothing for a panel with more queries than the backend accepts', async () => {
  const { progresses, asked } = asking();
  const large = progresses.watch(Array.from({ length: 101 }, () => query('A'))).subscribe();
  await jest.advanceTimersByTimeAsync(3000);
  expect(asked).toEqual([]);
  const told = jest.fn();
  progresses.watch([query('B')]).subscribe(told);
  await jest.advanceTimersByTimeAsync(1500);
  expect(told).toHaveBeenCalled();
  large.unsubscribe();
});
