import { dataSets, drawnMeasures, fieldNames, getDataSet, measures, namedFields } from './datasets';
import pluginJson from '../src/plugin.json';
import { translationsIn } from './translations';

const names = (list: Array<{ name: string }>) => list.map(({ name }) => name);

describe('measures', () => {
  it('of runners are their number fields, with their descriptions', () => {
    expect(names(measures(getDataSet('runners')))).toEqual(['tasks', 'items', 'itemsErrorCount', 'utilizationRate']);
    expect(measures(getDataSet('automations'))[0]).toEqual({
      name: 'taskCount',
      label: 'Tasks',
      description: 'Tasks in the last N days',
      unit: 'locale',
      decimals: 0,
    });
  });
});

describe.each(dataSets)('$name', (dataSet) => {
  const known = fieldNames(dataSet);

  it('has a distinct name for each field and measure in every language', () => {
    for (const language of pluginJson.languages) {
      const texts = translationsIn(language);
      for (const named of [namedFields(dataSet), measures(dataSet)]) {
        expect(new Set(named.map(({ label }) => texts[label] ?? label)).size).toBe(named.length);
      }
    }
  });

  it('has the same label for a measure and a field of the same name, unless the measure is a mean', () => {
    for (const { name, label } of measures(dataSet).filter(({ label }) => !label.startsWith('Mean '))) {
      const field = namedFields(dataSet).find((each) => each.name === name);
      expect(field?.label ?? label).toBe(label);
    }
  });

  it('refers to existing fields', () => {
    const { searchField, nameField = searchField, timeFields = [], defaultSort } = dataSet;
    const referred = [searchField, nameField, ...timeFields, defaultSort?.field ?? searchField];
    expect(known).toEqual(expect.arrayContaining(referred));
  });
});

describe('measures of a line', () => {
  it('is every measure of tasks', () => {
    expect(drawnMeasures(getDataSet('tasks'))).toEqual(measures(getDataSet('tasks')));
  });

  it('are the fields of runners that add up over time', () => {
    expect(names(drawnMeasures(getDataSet('runners')))).toEqual(['tasks', 'items', 'itemsErrorCount']);
  });
});
