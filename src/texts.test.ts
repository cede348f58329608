import { getDataSet, measures } from '../datasets/datasets';
import {
  dataSetDescription,
  dataSetLabel,
  describeQuery,
  fieldDescription,
  formatLabels,
  measureDescription,
  measureLabel,
} from './texts';

const tasks = getDataSet('tasks');
const automations = getDataSet('automations');
const measure = (dataSet: typeof tasks, name: string) => measures(dataSet).filter((each) => each.name === name)[0];

it('names and describes data sets', () => {
  expect(dataSetLabel(automations)).toBe('Automations');
  expect(dataSetDescription(automations)).toMatch(/^One row for each automation/);
});

it('describes fields', () => {
  expect(fieldDescription(tasks, tasks.fields[0])).toBe('Task identifier');
});

it("names measures, and those that are fields by the field's name", () => {
  expect(measureLabel(tasks, measure(tasks, 'queueTime'))).toBe('Queue time');
  expect(measureLabel(automations, measure(automations, 'taskCount'))).toBe('taskCount');
});

it('distinguishes three success rates', () => {
  const rates = [
    measureDescription(automations, measure(automations, 'successRate')),
    measureDescription(tasks, measure(tasks, 'successRate')),
    measureDescription(tasks, measure(tasks, 'itemSuccessRate')),
  ];
  expect(rates[0]).toMatch('that the service reports');
  expect(rates[1]).toMatch('among finished tasks');
  expect(rates[2]).toMatch('among all items');
});

it('names formats as the editor does', () => {
  expect(Object.values(formatLabels())).toEqual(['Table', 'Number', 'Line']);
});

it('describes a query with an unknown data set name as the default one', () => {
  expect(describeQuery({ refId: 'A', queryType: 'robots' as never })).toBe('Tasks · Table');
});
