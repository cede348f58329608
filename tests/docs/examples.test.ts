import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Document, parseDocument } from 'yaml';
import { drawnMeasures, findDataSet, groupableFields, measures, namedFields } from '../../schema/datasets';
import { type InsightsQuery } from '../../src/query';
import { blocks, code, rows, section } from './support/markdown';
import { filesBelow, page, pages, read } from './support/pages';
import { operators } from './support/sources';

const properties = rows(section(page('docs/query-editor.md').text, 'The saved query')).flatMap(([name]) => code(name));
const grafanas = ['refId', 'datasource', 'hide', 'intervalMs', 'maxDataPoints'];

// src/query.ts, which contains these lists, requires a browser.
const comparisons = ['previous', 'day', 'week', 'month', 'year'];
const units = ['auto', 'hour', 'day', 'week', 'month'];

/** Fails if a query contains something that the contract or the data set doesn't have. */
function checkQuery(query: InsightsQuery) {
  const allowed = [...properties, ...grafanas];
  assert.deepEqual(
    Object.keys(query).filter((name) => !allowed.includes(name)),
    [],
    'unknown properties'
  );
  const dataSet = findDataSet(query.queryType);
  assert.ok(dataSet, `unknown data set ${query.queryType}`);
  const isTable = (query.format ?? 'table') === 'table';
  const isTimeline = query.format === 'timeline' && dataSet.timeFields !== undefined;
  const isAttention = String(query.format) === 'attention' && dataSet.timeFields !== undefined;
  const hasMeasure = query.format === 'numeric' || query.format === 'timeseries';
  assert.ok(isTable || isTimeline || isAttention || hasMeasure, `unknown format ${query.format}`);
  assert.equal(hasMeasure, query.measure !== undefined, 'numbers and lines have a measure, and nothing else has one');
  const measured = (query.format === 'timeseries' ? drawnMeasures : measures)(dataSet).map(({ name }) => name);
  assert.ok(!hasMeasure || measured.includes(query.measure!), `unknown measure ${query.measure}`);
  const named = namedFields(dataSet).map(({ name }) => name);
  const labels = groupableFields(dataSet).map(({ name }) => name);
  const fields = [...(query.columns ?? []), ...(query.filters ?? []).map(({ key }) => key)];
  const sorted = query.sort ? [query.sort.field] : [];
  const sortable = hasMeasure ? [query.measure!, ...(query.groupBy ?? [])] : named;
  assert.deepEqual(
    [
      ...(query.groupBy ?? []).filter((name) => !labels.includes(name)),
      ...fields.filter((name) => !named.includes(name)),
      ...sorted.filter((name) => !sortable.includes(name)),
      ...(query.filters ?? []).filter(({ operator }) => !operators.includes(operator)),
      ...[query.timeField ?? []].flat().filter((name) => !dataSet.timeFields?.includes(name)),
      ...[query.compare ?? []].flat().filter((name) => !hasMeasure || !comparisons.includes(name)),
      ...[query.state ?? []].flat().filter((name) => !isTimeline || !labels.includes(name)),
      ...[query.per ?? []].flat().filter((name) => query.format !== 'timeseries' || !units.includes(name)),
    ],
    [],
    'unknown fields, operators or values'
  );
}

interface RuleQuery {
  refId: string;
  datasourceUid: string;
  model: InsightsQuery & { expression?: string };
}

interface Rule {
  title: string;
  noDataState?: string;
  data: RuleQuery[];
  condition?: string;
  record?: { from: string };
  annotations?: Record<string, string>;
}

function rulesIn(document: Document): Rule[] {
  const groups: Array<{ rules: Rule[] }> = document.toJS()?.groups ?? [];
  return groups.flatMap(({ rules }) => rules);
}

function checkRule({ data, condition, record, annotations = {} }: Rule) {
  const ids = data.map(({ refId }) => refId);
  assert.ok(ids.includes(condition ?? record?.from ?? ''), "the result of the rule is from a query that doesn't exist");
  for (const text of Object.values(annotations).filter((one) => one.includes('$'))) {
    assert.match(
      text,
      /^\{\{ if \$values \}\}|\{\{ with index \$labels /,
      'without values, there are no labels either'
    );
  }
  for (const { refId, datasourceUid, model } of data) {
    assert.equal(model.refId, refId);
    if (datasourceUid === '__expr__') {
      assert.ok(ids.includes(model.expression ?? ''), `${refId} uses ${model.expression}, which doesn't exist`);
    } else {
      checkQuery(model);
      assert.equal(model.format, 'numeric', 'rules query numbers');
    }
  }
}

for (const { file, text } of pages) {
  const found = blocks(text);
  describe(`${file}: queries`, () => {
    for (const [index, { code: json }] of found.filter(({ language }) => language === 'json').entries()) {
      test(`JSON ${index + 1}`, () => checkQuery(JSON.parse(json)));
    }
  });
  describe(`${file}: YAML`, () => {
    for (const [index, { code: yaml }] of found.filter(({ language }) => language === 'yaml').entries()) {
      test(`YAML ${index + 1}`, () => {
        const document = parseDocument(yaml);
        assert.deepEqual(document.errors, []);
        rulesIn(document).forEach(checkRule);
      });
    }
  });
}

test('the example rules have their names, files, and states', () => {
  const [, ...listed] = rows(section(page('docs/alerting.md').text, 'Example rules'));
  const folder = 'provisioning/alerting';
  const found = filesBelow(folder, /\.yaml$/).flatMap((file) =>
    rulesIn(parseDocument(read(file))).map(({ title, noDataState }) => [
      title,
      file.slice(folder.length + 1),
      noDataState,
    ])
  );
  assert.deepEqual(listed.map(([title, file, , state]) => [title, ...code(file), ...code(state)]).sort(), found.sort());
});
