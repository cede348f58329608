import assert from 'node:assert/strict';
import { test } from 'node:test';

import { classicFault, readDashboards } from './support/files';

const classic = { uid: 'a', title: 'A', schemaVersion: 41, panels: [] };

// Grafana 13 exports its new schema under the name of the old one, and Grafana 12 rejects it.
for (const [name, dashboard, fault] of [
  ['a classic dashboard', classic, undefined],
  [
    'a resource of the new schema',
    { apiVersion: 'dashboard.grafana.app/v2', kind: 'Dashboard', spec: {} },
    /apiVersion/,
  ],
  ['the body of one', { title: 'A', elements: {}, layout: { kind: 'GridLayout' } }, /elements/],
  ['one without panels', { ...classic, panels: undefined }, /panels/],
  ['one without a version', { ...classic, schemaVersion: undefined }, /schemaVersion/],
] as const) {
  test(`the schema check recognizes ${name}`, () => {
    const found = classicFault(dashboard);
    return fault ? assert.match(found ?? '', fault) : assert.equal(found, undefined);
  });
}

for (const [file, dashboard] of readDashboards()) {
  test(`${file} has the classic schema, which every supported Grafana accepts`, () => {
    assert.equal(classicFault(dashboard), undefined);
  });
}
