import {
  dataSets,
  drawnMeasures,
  fieldNames,
  findDataSet,
  getDataSet,
  groupableFields,
  measures,
  namedFields,
  serviceSortFields,
} from './datasets';
import pluginJson from '../src/plugin.json';

/** English is the language of the labels themselves. */
const translated = pluginJson.languages.filter((language) => language !== 'en-US');

const names = (list: Array<{ name: string }>) => list.map(({ name }) => name);

it('has the three data sets of the service, tasks first', () => {
  expect(names(dataSets)).toEqual(['tasks', 'automations', 'runners']);
});

describe('getDataSet', () => {
  it('finds a data set by name', () => {
    expect(getDataSet('runners').name).toBe('runners');
  });

  it.each([undefined, 'robots'])('returns tasks for %p', (name) => {
    expect(getDataSet(name).name).toBe('tasks');
  });

  it('differs from findDataSet, which returns undefined', () => {
    expect(findDataSet('robots')).toBeUndefined();
    expect(findDataSet('tasks')).toBe(dataSets[0]);
  });
});

it('returns fields in the order of the specification', () => {
  expect(fieldNames(getDataSet('runners'))).toEqual(['_id', 'tasks', 'items', 'itemsErrorCount', 'utilizationRate']);
});

it('lists the fields by which the service sorts', () => {
  expect(names(serviceSortFields(getDataSet('tasks')))).toEqual([]);
  expect(names(serviceSortFields(getDataSet('automations'))).sort()).toEqual(
    ['label', 'date', 'repositoryLabel', 'taskCount', 'sumItems', 'sumItemsError'].sort()
  );
  expect(serviceSortFields(getDataSet('runners'))).toEqual(getDataSet('runners').fields);
});

describe('measures', () => {
  it('of tasks are the listed ones', () => {
    expect(names(measures(getDataSet('tasks')))).toEqual([
      ...['tasks', 'failedTasks', 'successRate', 'processedItems', 'failedItems', 'totalItems'],
      ...['itemSuccessRate', 'duration', 'queueTime', 'durationP95', 'durationMax', 'queueTimeP95', 'queueTimeMax'],
      ...['oldestQueued', 'oldestRunning', 'sinceLastTask', 'sinceLastSuccess', 'failuresInARow'],
      ...['gapMax', 'concurrency', 'occupancy'],
    ]);
  });

  it('of runners are their number fields, with their descriptions', () => {
    expect(names(measures(getDataSet('runners')))).toEqual(['tasks', 'items', 'itemsErrorCount', 'utilizationRate']);
    expect(measures(getDataSet('automations'))[0]).toEqual({
      name: 'taskCount',
      label: 'Tasks',
      labels: { 'pt-BR': 'Tarefas', 'es-ES': 'Tareas' },
      description: 'Tasks in the last N days',
      unit: 'locale',
      decimals: 0,
    });
  });
});

describe.each(dataSets)('$name', (dataSet) => {
  const known = fieldNames(dataSet);

  it('names each field once and describes it', () => {
    expect(new Set(known).size).toBe(known.length);
    expect(dataSet.fields.every(({ description }) => description)).toBe(true);
  });

  it('has a distinct name for each field and measure in every language', () => {
    for (const { name, label, labels } of [...namedFields(dataSet), ...measures(dataSet)]) {
      expect([name, label.trim()]).toEqual([name, expect.stringMatching(/./)]);
      expect([name, Object.keys(labels).sort()]).toEqual([name, [...translated].sort()]);
      expect([name, Object.values(labels).filter((text) => !text.trim())]).toEqual([name, []]);
    }
    for (const language of ['en-US', ...translated]) {
      const called = namedFields(dataSet).map(({ label, labels }) => labels[language] ?? label);
      expect(new Set(called).size).toBe(called.length);
      const measured = measures(dataSet).map(({ label, labels }) => labels[language] ?? label);
      expect(new Set(measured).size).toBe(measured.length);
    }
  });

  it('has the same label for a measure and a field of the same name, unless the measure is a mean', () => {
    for (const { name, label, labels } of measures(dataSet)) {
      const field = namedFields(dataSet).find((each) => each.name === name);
      if (!label.startsWith('Mean ')) {
        expect({ label: field?.label ?? label, labels: field?.labels ?? labels }).toEqual({ label, labels });
      }
    }
  });

  it('refers to existing fields', () => {
    const { searchField, nameField = searchField, timeFields = [], defaultSort } = dataSet;
    const referred = [searchField, nameField, ...timeFields, defaultSort?.field ?? searchField];
    expect(known).toEqual(expect.arrayContaining(referred));
  });

  it('groups only by text', () => {
    expect(new Set(groupableFields(dataSet).map(({ type }) => type))).toEqual(new Set(['string']));
  });
});

describe('measures of a line', () => {
  it('is every measure of tasks', () => {
    expect(drawnMeasures(getDataSet('tasks'))).toEqual(measures(getDataSet('tasks')));
  });

  it.each([
    ['automations', ['taskCount', 'sumItems', 'sumItemsError', 'sumItemsProcessed', 'savings']],
    ['runners', ['tasks', 'items', 'itemsErrorCount']],
  ])('are the fields of %s that add up over time', (name, expected) => {
    expect(names(drawnMeasures(getDataSet(name)))).toEqual(expected);
  });
});
