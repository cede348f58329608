import { lastValueFrom, of } from 'rxjs';

import { createDataFrame, type DataQueryRequest, dateTime, FieldType } from '@grafana/data';

import { dataSourceWith } from '../testing/datasource';
import { type InsightsVariableQuery } from '../query/query';
import { VariableSupport } from './variables';

const range = { from: dateTime().subtract(2, 'days'), to: dateTime() };

function ask(
  { datasource }: ReturnType<typeof dataSourceWith>,
  target: Partial<InsightsVariableQuery>
): Promise<{ data: unknown[] }> {
  const request = { targets: [{ refId: 'V', ...target }], scopedVars: {}, range };
  const support = datasource.variables as VariableSupport;
  return lastValueFrom(support.query(request as unknown as DataQueryRequest<InsightsVariableQuery>));
}

it.each<[Partial<InsightsVariableQuery>, string]>([
  [{}, 'automations'],
  [{ queryType: 'runners' }, 'runners'],
])('asks for the key of the data set if no field is saved: %j', async (saved, route) => {
  const source = dataSourceWith();
  const defaults = (source.datasource.variables as VariableSupport).getDefaultQuery();
  // As Grafana's editor merges them.
  await ask(source, { ...defaults, ...saved });
  await ask(source, saved);
  const request = [route, { days: 2, search: undefined }, expect.anything()];
  expect(source.getResource.mock.calls).toEqual([request, request]);
});

it('returns the values of a field, with their display names', async () => {
  const values = [{ value: 'INV', text: 'Invoices' }];
  const source = dataSourceWith(values);
  expect(await ask(source, { queryType: 'automations', field: 'label' })).toEqual({ data: values });
  expect(source.getResource).toHaveBeenCalledWith('automations', { days: 2, search: undefined }, expect.anything());
});

it('interpolates other variables in field and search, and uses its days', async () => {
  const source = dataSourceWith([], { field: { value: 'state' }, part: { value: 'ST' } });
  await ask(source, { queryType: 'tasks', field: '$field', search: '${part}', days: 90 });
  expect(source.getResource).toHaveBeenCalledWith(
    'values',
    { queryType: 'tasks', field: 'state', days: 90, search: 'ST' },
    expect.anything()
  );
});

it('requests nothing without a field', async () => {
  const source = dataSourceWith([], { nothing: { value: '' } });
  expect(await ask(source, { field: '$nothing' })).toEqual({ data: [] });
  expect(source.getResource).not.toHaveBeenCalled();
});

it.each<Partial<InsightsVariableQuery>>([
  { search: '${nobody}' },
  { field: '$nobody' },
  { queryType: '[[nobody]]' as never },
  { filters: [{ key: 'repositoryLabel', operator: '=|', values: ['a', '$nobody'] }] },
])('says which variable does not exist if it finds nothing: %j', async (target) => {
  const source = dataSourceWith();
  jest.spyOn(source.datasource, 'query').mockReturnValue(of({ data: [] }));
  await expect(ask(source, { queryType: 'tasks', field: 'state', ...target })).rejects.toThrow(
    /No such variable: .*nobody/
  );
  const found = dataSourceWith([{ value: 'a', text: 'a' }]);
  expect((await ask(found, { queryType: 'tasks', field: 'state', search: '$nobody' })).data).toHaveLength(1);
});

it('passes on an error, which Grafana shows at the variable', async () => {
  await expect(ask(dataSourceWith(new Error('the service is down')), { field: 'state' })).rejects.toThrow(
    'the service is down'
  );
});

it('leaves it to the backend to report what it cannot read', async () => {
  const source = dataSourceWith();
  await ask(source, { queryType: 'robots', field: { by: 'x' }, days: 'soon', search: 7 } as never);
  const params = { queryType: 'robots', field: '{"by":"x"}', days: 'soon', search: '7' };
  expect(source.getResource).toHaveBeenCalledWith('values', params, expect.anything());
  const query = jest.spyOn(source.datasource, 'query').mockReturnValue(of({ data: [] }));
  await ask(source, { queryType: 'robots', filters: 7 } as never);
  expect(query.mock.calls[0][0].targets[0]).toMatchObject({ queryType: 'robots', filters: [7] });
});

describe('with filters', () => {
  const filters = [{ key: 'repositoryLabel', operator: '=' as const, value: '$repository' }];

  function sourceWith(...fields: Array<[string, string[]]>) {
    const source = dataSourceWith([], { repository: { value: 'finance' } });
    const frame = createDataFrame({
      fields: fields.map(([name, values]) => ({ name, values, type: FieldType.string })),
    });
    const query = jest.spyOn(source.datasource, 'query').mockReturnValue(of({ data: [frame] }));
    return { ...source, query };
  }

  it('queries groups, of which there is one per value', async () => {
    const source = sourceWith(['state', ['RUNNING', 'START']]);
    expect(await ask(source, { queryType: 'tasks', field: 'state', days: 7, filters })).toEqual({
      data: [
        { value: 'RUNNING', text: 'RUNNING' },
        { value: 'START', text: 'START' },
      ],
    });
    expect(source.query.mock.calls[0][0].targets).toEqual([
      {
        refId: 'V',
        queryType: 'tasks',
        days: 7,
        filters,
        format: 'numeric',
        measure: 'tasks',
        groupBy: ['state'],
        sort: { field: 'state', order: 'asc' },
        shape: 'long',
      },
    ]);
  });

  it('returns the names of automations', async () => {
    const source = sourceWith(['label', ['INV', 'PAY']], ['name', ['Invoices', '']]);
    const { data } = await ask(source, { queryType: 'automations', field: 'label', filters });
    expect(data).toEqual([
      { value: 'INV', text: 'Invoices' },
      { value: 'PAY', text: 'PAY' },
    ]);
    expect(source.query.mock.calls[0][0].targets[0].groupBy).toEqual(['label', 'name']);
  });

  it('searches values and names, ignoring case, and leaves out nulls', async () => {
    const source = sourceWith(['label', ['INV', 'PAY', '']], ['name', ['Invoices', 'Wages', '']]);
    const { data } = await ask(source, { queryType: 'automations', field: 'label', search: 'voice', filters });
    expect(data).toEqual([{ value: 'INV', text: 'Invoices' }]);
  });

  it('returns nothing for a response without fields', async () => {
    expect(await ask(sourceWith(), { field: 'state', filters })).toEqual({ data: [] });
  });
});
