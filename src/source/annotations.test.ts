import { lastValueFrom } from 'rxjs';

import { type AnnotationEvent, type AnnotationQuery, createDataFrame, FieldType } from '@grafana/data';

import { annotationSupport as supportWith } from './annotations';
import { type InsightsQuery } from '../query/query';
import { templatesWith } from '../testing/datasource';

const annotationSupport = supportWith(templatesWith({ time: { value: 'dateStartRunning' } }));

const annotation = (target?: Partial<InsightsQuery>) =>
  ({ name: 'Failures', target: target && { refId: 'Anno', ...target } }) as AnnotationQuery<InsightsQuery>;

const row = {
  id: 7,
  state: 'FINISHED',
  finishStatus: 'FAILED',
  activityLabel: 'invoices',
  repositoryLabel: 'finance',
  machineId: 'runner-1',
  dateCreation: 1000,
  dateStartRunning: 2000,
  dateLastModified: 3000,
  processedItems: 8,
  totalItems: 10,
};

async function events(rows: Array<Partial<Record<keyof typeof row, unknown>>>, target: Partial<InsightsQuery> = {}) {
  const names = Object.keys(row) as Array<keyof typeof row>;
  const fields = names.map((name) => ({
    name,
    type: name.startsWith('date') ? FieldType.time : FieldType.string,
    values: rows.map((each) => each[name] ?? null),
  }));
  const found = annotationSupport.processEvents?.(annotation(target), [createDataFrame({ fields })]);
  return (found && (await lastValueFrom(found))) as AnnotationEvent[];
}

describe('a new annotation', () => {
  const marked = {
    refId: 'Anno',
    queryType: 'tasks',
    filters: [{ key: 'outcome', operator: '=', value: 'FAILED' }],
    timeField: 'dateLastModified',
  };

  it.each([undefined, {}])('marks failed tasks at the time of their failure (%j)', (target) => {
    const prepared = annotationSupport.prepareAnnotation?.(annotation(target));
    expect(prepared?.target).toEqual(marked);
    expect(prepared && annotationSupport.prepareQuery?.(prepared)).toEqual(marked);
  });

  it('keeps nothing that another data source has prepared', () => {
    const target = { expr: '', interval: '', instant: true } as Partial<InsightsQuery>;
    const ours = { ...annotation(target), datasource: { type: 'insights-reporting-datasource', uid: 'uid' } };
    expect(annotationSupport.prepareAnnotation?.(ours).target).toEqual(marked);
  });

  it('is left to the data source that was selected instead of this one', () => {
    const theirs = { ...annotation(), datasource: { type: 'prometheus', uid: 'uid' } };
    expect(annotationSupport.prepareAnnotation?.(theirs)).toBe(theirs);
  });

  it('keeps the properties that Grafana stores in it', () => {
    const target = { datasource: { uid: 'uid' }, hide: false };
    expect(annotationSupport.prepareAnnotation?.(annotation(target)).target).toEqual({ ...marked, ...target });
  });

  it('is also filled in where newer dashboards store it', () => {
    const prepared = annotationSupport.prepareAnnotation?.({ ...annotation(), query: { spec: { refId: 'A' } } });
    expect(prepared?.query?.spec).toEqual({ ...marked, refId: 'A' });
  });
});

it('leaves the text alone that another data source saved as its query', () => {
  const legacy = { name: 'Deployments', query: 'tags:deploy' } as unknown as AnnotationQuery<InsightsQuery>;
  const prepared = annotationSupport.prepareAnnotation?.(legacy);
  expect(prepared).toMatchObject({
    query: 'tags:deploy',
    target: { queryType: 'tasks', timeField: 'dateLastModified' },
  });
  expect(annotationSupport.prepareQuery?.({ ...legacy, target: 'tags:deploy' as never })).toBeUndefined();
});

it('marks tasks at the time that a variable selects', async () => {
  const [event] = await events([row], { timeField: '$time' });
  expect(event.time).toBe(row.dateStartRunning);
});

it('marks what needs attention where it began, with its reason', async () => {
  const target: Partial<InsightsQuery> = { format: 'attention', attention: { silent: 0 }, groupBy: ['machineId'] };
  expect(annotationSupport.prepareQuery?.(annotation(target))).toEqual({
    refId: 'Anno',
    queryType: 'tasks',
    format: 'attention',
    attention: { silent: 0 },
  });
  const concern = { activityLabel: 'Invoices', why: '3 failures in a row', since: 1 };
  const fields = Object.entries(concern).map(([name, value]) => ({ name, values: [value] }));
  const found = annotationSupport.processEvents!(annotation(target), [createDataFrame({ fields })]);
  const [event] = (await lastValueFrom(found)) ?? [];
  expect(event).toMatchObject({ time: 1, title: 'Invoices', text: '3 failures in a row', tags: [] });
});

describe('a saved annotation', () => {
  it.each<Partial<InsightsQuery>>([{ search: 'invoices' }, { queryType: 'tasks' }])(
    'is not changed, or Grafana would prepare it repeatedly (%j)',
    (target) => {
      const saved = annotation(target);
      expect(annotationSupport.prepareAnnotation?.(saved)).toBe(saved);
    }
  );

  it('is found where newer dashboards store it', () => {
    const saved = { ...annotation(), query: { spec: { refId: 'A', search: 'x' } } };
    expect(annotationSupport.prepareAnnotation?.(saved)).toBe(saved);
    expect(annotationSupport.prepareQuery?.(saved)).toEqual({ refId: 'A', queryType: 'tasks', search: 'x' });
  });

  it('can mark all tasks: the default adds no filter to it', () => {
    expect(annotationSupport.getDefaultQuery?.()).toEqual({ queryType: 'tasks' });
  });

  it('always queries all fields of tasks, limited to the time range', () => {
    const target: Partial<InsightsQuery> = {
      queryType: 'runners',
      days: 90,
      format: 'numeric',
      measure: 'tasks',
      groupBy: ['state'],
      columns: ['id'],
      search: 'x',
    };
    expect(annotationSupport.prepareQuery?.(annotation(target))).toEqual({
      refId: 'Anno',
      queryType: 'tasks',
      search: 'x',
    });
    expect(annotationSupport.prepareQuery?.(annotation())).toBeUndefined();
  });
});

it('converts a task to an event, from its time to its end', async () => {
  expect(await events([row])).toEqual([
    {
      id: 0,
      time: 1000,
      timeEnd: 3000,
      isRegion: true,
      title: 'invoices',
      text: 'FAILED, on runner runner-1, 8 of 10 items',
      tags: ['FINISHED', 'FAILED', 'finance'],
    },
  ]);
});

it.each([
  [{ processedItems: null }, 'FAILED, on runner runner-1, 10 items'],
  [{ processedItems: null, totalItems: null }, 'FAILED, on runner runner-1'],
])('leaves no gap where a number is unknown: %j', async (unknown, text) => {
  const [event] = await events([{ ...row, ...unknown }]);
  expect(event.text).toBe(text);
});

it('converts a task to a point if it is marked at its end', async () => {
  const [event] = await events([row], { timeField: 'dateLastModified' });
  expect(event.time).toBe(3000);
  expect(event).not.toHaveProperty('timeEnd');
});

it('converts an unfinished task to a point, with the known details', async () => {
  const queued = { id: 8, state: 'START', activityLabel: 'invoices', dateCreation: 1000, dateLastModified: 1500 };
  expect(await events([queued])).toEqual([{ id: 0, time: 1000, title: 'invoices', text: 'START', tags: ['START'] }]);
});

it('leaves out a task without the time', async () => {
  expect(await events([{ ...row, dateStartRunning: null }], { timeField: 'dateStartRunning' })).toEqual([]);
});
