import { getDataSet, measures } from '../../schema/datasets';
import { type InsightsQuery } from './query';
import { describeQuery, descriptionOf, labelOf, labelOfName, nameAndDescription } from './texts';

const tasks = getDataSet('tasks');
const automations = getDataSet('automations');
const measure = (dataSet: typeof tasks, name: string) => measures(dataSet).filter((each) => each.name === name)[0];

it('names and describes data sets', () => {
  expect(labelOf(automations)).toBe('Automations');
  expect(descriptionOf(automations)).toMatch(/^One row per automation/);
});

it('labels measures and fields', () => {
  expect(labelOf(measure(tasks, 'queueTime'))).toBe('Mean queue time');
  expect(labelOf(measure(automations, 'sumItemsError'))).toBe('Failed items');
  expect(labelOfName(automations, 'label')).toBe('Automation');
});

it('keeps names that have no label', () => {
  expect(labelOfName(automations, '$measure')).toBe('$measure');
});

it('puts the name in the API before a description', () => {
  expect(nameAndDescription(tasks.fields[0])).toBe('id · Task identifier');
});

it('distinguishes three success rates', () => {
  const rates = [
    descriptionOf(measure(automations, 'successRate')),
    descriptionOf(measure(tasks, 'successRate')),
    descriptionOf(measure(tasks, 'itemSuccessRate')),
  ];
  expect(rates[0]).toMatch('as the service reports it');
  expect(rates[1]).toMatch('divided by those that finished or timed out');
  expect(rates[2]).toMatch('divided by all items');
});

it('describes a timeline by its bars and lanes', () => {
  const query: InsightsQuery = { refId: 'A', format: 'timeline', groupBy: ['repositoryLabel'] };
  expect(describeQuery(query)).toBe('Tasks · Timeline · Automation by Repository');
  expect(describeQuery({ refId: 'A', format: 'timeline', state: 'finishStatus' })).toBe(
    'Tasks · Timeline · Finish status'
  );
});

it('describes a query with labels', () => {
  const query = {
    refId: 'A',
    queryType: 'automations',
    format: 'numeric',
    measure: 'savings',
    groupBy: ['label', 'x'],
  };
  expect(describeQuery(query as InsightsQuery)).toBe('Automations · Number · Savings by Automation, x');
});

it('describes what nobody knows as it was saved', () => {
  expect(describeQuery({ refId: 'A', queryType: 'robots', format: '$format' } as never)).toBe('robots · $format');
});
