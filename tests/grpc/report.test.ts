import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SimulatorOptions } from '../../simulator';
import { dataSourceFor, startPlugin } from './support/plugin';
import { Service } from './support/service';

interface Finding {
  key: string;
  severity: string;
  text: string;
  setting?: string;
  value?: unknown;
}

interface Variant {
  options?: Partial<SimulatorOptions>;
  /** What a test changes after the service has started. */
  change?: (service: Service) => Promise<void>;
  settings?: Record<string, unknown>;
  /** Lines that identify this variant, and the settings that they suggest. */
  tells: Record<string, [setting: string, value: unknown] | undefined>;
  /** Lines that must not appear. */
  not?: string[];
  warns?: boolean;
}

const quiet = { tasksTotal: 1_234, automations: 12, runners: 3 };

const variants: Record<string, Variant> = {
  'a service that matches the specification': {
    tells: {
      ...{ rows: undefined, 'size-smaller': undefined, 'rates-auto': ['rateScale', 'fraction'] },
      ...{ 'costs-no-currency': undefined },
    },
    not: ['order-other', 'fields-new', 'values-unknown', 'values-unreadable', 'unchecked'],
  },
  'page size honored': {
    options: { size: 'honored' },
    tells: { rows: undefined },
    not: ['size-smaller', 'size-refused'],
  },
  'page size bounded': { options: { size: 'honored', maxPageSize: 100 }, tells: { 'size-smaller': undefined } },
  'page size refused': { options: { size: 'refused' }, tells: { 'size-refused': ['pageSize', 0] } },
  'tasks in no order': { options: { taskOrder: 'none' }, tells: { 'order-other': undefined } },
  'rates from 0 to 100': { options: { rates: 'percent' }, tells: { 'rates-auto': ['rateScale', 'percent'] } },
  'rates from 0 to 100, and another scale set': {
    options: { rates: 'percent' },
    settings: { rateScale: 'fraction' },
    tells: { 'rates-differ': ['rateScale', 'percent'] },
    warns: true,
  },
  'no costs': { options: { costs: 'zero' }, tells: { 'costs-missing': undefined } },
  'costs that are null': { options: { costs: 'null' }, tells: { 'costs-missing': undefined } },
  'unknown fields': {
    change: (service) => service.unknownFields(true),
    tells: { 'fields-new': undefined },
  },
  'a clock that is ahead': { options: { clockSkew: 3_600 }, tells: { 'clock-ahead': undefined }, warns: true },
  'a clock that is behind': { options: { clockSkew: -120 }, tells: { 'clock-behind': undefined }, warns: true },
  'runners in the plural': {
    options: { runnersPath: '/api/v1/insights/runners' },
    tells: { 'path-other': ['runnersPath', '/api/v1/insights/runners'] },
    warns: true,
  },
  'a runners path that is wrong': {
    settings: { runnersPath: '/api/v1/insights/robots' },
    tells: { 'path-other': ['runnersPath', '/api/v1/insights/runner'] },
    warns: true,
  },
  'runners on an unlikely path': {
    options: { runnersPath: '/api/v1/insights/robots' },
    tells: { 'path-not-found': undefined },
    warns: true,
  },
  'a service without tasks': { options: { tasksTotal: 0 }, tells: { rows: undefined }, not: ['order-other'] },
};

describe('the report of Save & test', () => {
  const plugin = startPlugin();

  for (const [name, { options, change, settings, tells, not = [], warns = false }] of Object.entries(variants)) {
    test(name, async () => {
      const service = new Service({ ...quiet, ...options });
      await service.start();
      try {
        await change?.(service);
        const { status, message, details } = await plugin.backend.checkHealth(dataSourceFor(service.url, settings));
        assert.equal(status, 'OK', message);
        const { report, message: warnings, verboseMessage } = details as Record<string, unknown>;
        const lines = new Map((report as Finding[]).map((line) => [line.key, line]));
        for (const [key, offer] of Object.entries(tells)) {
          const line = lines.get(key);
          assert.ok(line, `no ${key} in\n${verboseMessage}`);
          assert.deepEqual([line.setting, line.value], offer ?? [undefined, undefined]);
        }
        assert.deepEqual(
          not.filter((key) => lines.has(key)),
          []
        );
        assert.equal(warnings !== undefined, warns, `${warnings}`);
        assert.equal(/Warnings: 1\.$/.test(message), warns, message);
        const { total } = await service.requests();
        assert.ok(total <= 10, `${total} requests`);
      } finally {
        await service.close();
      }
    });
  }
});
