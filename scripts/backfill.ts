import { appendFileSync, createReadStream, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { parse } from 'yaml';

const help = `Usage: npm run backfill -- --grafana URL --data-source UID --from TIME [options]

Writes what the recording rules would have recorded on each full hour, in OpenMetrics' text format. Asks the queries of the
rules at Grafana, one at a time, with the service account token in GRAFANA_TOKEN, which may query the data source. If it is
interrupted, the same command goes on where it ended. With a later --to, it adds what is missing.

  --grafana URL      address of Grafana
  --data-source UID  Insights data source; only the rules that query it are asked
  --from, --to TIME  such as 2026-11-01 or 2026-11-01T09:00Z (--to: now)
  --rules FILE       the recording rules (provisioning/history/alerting.yaml)
  --output FILE      what is written (history.om); its progress is in FILE.json
  --push URL         also sends the file to this VictoriaMetrics`;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Filter = { key: string; operator: string; value: string };

/** A recording rule as Grafana provisions it. */
export interface RecordingRule {
  record: { metric: string; from: string };
  labels?: Record<string, string>;
  data: Array<{
    refId: string;
    datasourceUid: string;
    /** Seconds before the time of an evaluation. */
    relativeTimeRange: { from: number; to: number };
    model: Record<string, unknown> & { groupBy?: string[]; filters?: Filter[] };
  }>;
}

/** A number of a series, without its time. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

interface Frame {
  schema: { fields: Array<{ type: string; labels?: Record<string, string> }> };
  data: { values: unknown[][] };
}

type Results = Record<string, { error?: string; frames?: Frame[] }>;

/** Runs queries over a time range in milliseconds. */
export type Ask = (queries: object[], range: [from: number, to: number]) => Promise<Results>;

/** Sends a request to the address of an option. */
const send = (name: string, url: string, path: string, request: RequestInit) =>
  fetch(`${url}${path}`, { method: 'POST', ...request }).catch(({ cause = {} }) => {
    throw new Error(`no answer from ${url} (${cause.code ?? cause.message ?? 'invalid address'}): check --${name}`);
  });

const advice: Record<number, string> = {
  401: 'check that GRAFANA_TOKEN is a valid service account token of this Grafana',
  403: 'allow the service account of GRAFANA_TOKEN to query the data source',
  404: 'check --data-source, and that --grafana includes the path at which Grafana is served',
};

/** Asks Grafana as a rule does: incomplete data is an error. What may be over soon is tried three times. */
export function grafanaAt(url: string, text: string): Ask {
  const token = text.trim();
  // fetch would repeat it in its message.
  if (!/^[!-~]+$/.test(token)) {
    throw new Error('GRAFANA_TOKEN must be one line of visible ASCII characters: copy the token again');
  }
  return async function ask(queries, [from, to], tries = 3): Promise<Results> {
    const response = await send('grafana', url, '/api/ds/query', {
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', FromAlert: 'true' },
      body: JSON.stringify({ queries, from: `${from}`, to: `${to}` }),
    });
    const text = await response.text();
    if (response.ok) {
      return JSON.parse(text).results;
    }
    if (tries > 1 && (response.status >= 429 || /"status":(429|5\d\d)/.test(text))) {
      await setTimeout(5_000);
      return ask(queries, [from, to], tries - 1);
    }
    const reason = advice[response.status] ?? text.replaceAll(token, '…').slice(0, 500);
    throw new Error(`Grafana answered ${response.status}: ${reason}`);
  };
}

const where = (key: string, operator: string, value: string | number): Filter => ({ key, operator, value: `${value}` });

/** The tasks that waited at a time, in groups without a common task: they still do, or did until they began or were canceled. */
const queuedAt = (at: number) => [
  [where('state', '=', 'START')],
  [where('state', '!=', 'START'), where('dateStartRunning', '>', at)],
  [where('state', '=', 'CANCELED'), where('dateStartRunning', '=', ''), where('dateLastModified', '>', at)],
];

const ended = where('outcome', '!=', '');

/**
 * The tasks that have ended since, and then those of them of which it is known whether they had ended at a time. One that
 * ran for longer than usual may have timed out meanwhile, which is a failure until it finishes.
 */
const endedAt = (at: number) => [
  [ended],
  [ended, where('dateLastModified', '<=', at)],
  [ended, where('dateStartRunning', '>', at)],
  [ended, where('dateLastModified', '>', at), where('dateStartRunning', '<=', at), where('slowness', '<=', 1)],
];

/** Fields of a task that never change. */
const lasting = ['activityLabel', 'repositoryLabel', 'organizationLabel', 'dataSource', 'team'];

const isExpression = ({ datasourceUid }: RecordingRule['data'][number]) => datasourceUid === '__expr__';

/** How a rule is asked for a past time; a text says why it can't be. */
function past({ record, data }: RecordingRule) {
  const [query, ...more] = data.filter((one) => !isExpression(one));
  const { queryType = 'tasks', measure, groupBy = [], filters = [], days, timeField, compare } = query.model;
  const others = filters.filter(({ key, operator, value }) => `${key} ${operator} ${value}` !== 'state = START');
  const isQueue = others.length < filters.length;
  const isRate = measure === 'successRate' && !isQueue;
  const isCount = measure === 'tasks' && (!isQueue || record.from === query.refId);
  if (queryType !== 'tasks') {
    return 'the service reports these totals up to now only';
  }
  const fields = [...groupBy, ...others.map(({ key }) => key)];
  const isAsked = (isRate || isCount) && fields.every((field) => lasting.includes(field));
  return isAsked && more.length === 0 && (days ?? timeField ?? compare) === undefined
    ? { ...query, filters: others, isQueue, isRate }
    : 'what the tasks were then does not follow from what they are now';
}

/** The numbers of a response by their labels, as Grafana records them: none at all if one is null. */
export function numbersOf(results: Results, refId: string): Map<string, Sample> {
  const { error, frames = [] } = results[refId] ?? { error: 'no response' };
  if (error) {
    throw new Error(`query ${refId}: ${error}`);
  }
  const samples = frames.flatMap(({ schema: { fields }, data }) =>
    fields.flatMap(({ type, labels = {} }, index) =>
      type === 'number' ? data.values[index].map((value) => ({ labels, value: value as number }) satisfies Sample) : []
    )
  );
  const keyOf = (labels: Sample['labels']) => JSON.stringify(Object.entries(labels).sort());
  const isWhole = samples.every(({ value }) => value !== null);
  return new Map(isWhole ? samples.map((sample) => [keyOf(sample.labels), sample]) : []);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** What a rule would have recorded at a time in milliseconds, and how many numbers of that time can't be known. */
export async function samplesAt(ask: Ask, rule: RecordingRule, at: number) {
  const asked = past(rule);
  if (typeof asked === 'string') {
    throw new Error(`${rule.record.metric}: ${asked}`);
  }
  const { isQueue, isRate, relativeTimeRange: window } = asked;
  const query = (refId: string, more: Filter[], changed = {}) => ({
    ...{ ...asked.model, ...changed, filters: [...asked.filters, ...more], refId },
    datasource: { uid: asked.datasourceUid },
  });
  const expression = { type: '__expr__', uid: '__expr__' };
  const parts = isQueue ? queuedAt(at) : isRate ? endedAt(at) : [];
  const queries = [
    query(asked.refId, isRate ? [where('dateLastModified', '<=', at)] : []),
    ...rule.data.filter(isExpression).map(({ refId, model }) => ({ ...model, refId, datasource: expression })),
    ...parts.map((more, index) => query(`part ${index}`, more, { measure: 'tasks' })),
  ];
  const results = await ask(queries, [at - window.from * 1000, at - window.to * 1000]);
  const counts = parts.map((_, index) => numbersOf(results, `part ${index}`));
  const countsOf = (key: string) => counts.map((of) => of.get(key)?.value ?? 0);
  const isKnown = (key: string) => !isRate || 2 * countsOf(key)[0] === sum(countsOf(key));
  const numbers = isQueue ? new Map(counts.flatMap((of) => [...of])) : numbersOf(results, rule.record.from);
  const samples = [...numbers]
    .filter(([key]) => isKnown(key))
    .map(([key, { labels, value }]): Sample => {
      return { labels: { ...labels, ...rule.labels }, value: isQueue ? sum(countsOf(key)) : value };
    });
  const unknown = [...(counts[0]?.keys() ?? [])].filter((key) => !isKnown(key));
  return { samples, unknown: unknown.length };
}

/** The rules of a provisioning file that query a data source, and can be asked. */
function readRules(file: string, uid: string, print: (line: string) => void): RecordingRule[] {
  const provisioned = parse(readFileSync(file, 'utf8')) as { groups?: Array<{ rules?: RecordingRule[] }> } | null;
  const rules = (provisioned?.groups ?? [])
    .flatMap((group) => group.rules ?? [])
    .filter((rule) => {
      const isOwn = rule.record && rule.data.some(({ datasourceUid }) => datasourceUid === uid);
      const asked = isOwn && past(rule);
      if (typeof asked === 'string') {
        print(`${rule.record.metric} is left out: ${asked}`);
      }
      return typeof asked === 'object';
    });
  if (rules.length === 0) {
    throw new Error(
      `${file} has no recording rule to ask of the data source ${uid}: check its datasourceUid, --data-source, and --rules`
    );
  }
  return rules;
}

const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');

/** The samples of one moment in OpenMetrics' text format. */
const written = (metric: string, samples: Sample[], at: number) =>
  samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([name, text]) => `${name}="${escaped(text)}"`);
    return `${metric}{${pairs.join(',')}} ${value} ${at / 1000}\n`;
  });

interface Options {
  ask: Ask;
  /** The address that is asked. */
  grafana: string;
  uid: string;
  /** The provisioning file. */
  rules: string;
  /** Milliseconds. */
  from: number;
  to: number;
  output: string;
}

/** Writes the file, or goes on with it. `print` gets what a person should know. */
export async function backfill(options: Options, print: (line: string) => void) {
  const { ask, grafana, uid, from, to, output } = options;
  const rules = readRules(options.rules, uid, print);
  const windowOf = ({ data }: RecordingRule) => Math.max(...data.map((one) => one.relativeTimeRange.from)) * 1000;
  const head = rules.map(({ record }) => `# TYPE ${record.metric} gauge\n`).join('');
  const progress = `${output}.json`;
  const of = JSON.stringify([grafana, uid, rules, from]);
  let state = { of, next: Math.ceil(from / HOUR) * HOUR, bytes: Buffer.byteLength(head), samples: 0, unknown: 0 };
  const isBegun = existsSync(progress);
  if (isBegun !== existsSync(output)) {
    const [file, missing] = isBegun ? [progress, output] : [output, progress];
    throw new Error(`${file} exists without ${missing}: choose another --output, or delete ${file} to begin again`);
  }
  if (isBegun) {
    state = JSON.parse(readFileSync(progress, 'utf8'));
    if (state.of !== of) {
      throw new Error(
        `${output} was begun with another --grafana, --data-source, or --from, or other rules: choose another --output`
      );
    }
  }

  // A week more shows whether the service knows times before the first task, such as a quiet weekend.
  const range: [number, number] = [from - Math.max(...rules.map(windowOf)) - 7 * DAY, Date.now()];
  const [columns, sort] = [['dateCreation'], { field: 'dateCreation', order: 'asc' }];
  const { A } = await ask([{ refId: 'A', datasource: { uid }, format: 'table', columns, sort, limit: 1 }], range);
  // Nothing is written before the first answer, so that the same command can be run again.
  if (isBegun) {
    truncateSync(output, state.bytes);
  } else {
    writeFileSync(output, head, { flag: 'wx' });
    writeFileSync(progress, JSON.stringify(state));
  }
  const oldest = Number(A.frames?.[0]?.data.values[0]?.[0] ?? Infinity);
  // While it is read, the service forgets.
  const since = (rule: RecordingRule) => oldest + windowOf(rule) + HOUR / 6;
  for (const rule of rules.filter((one) => since(one) > from)) {
    const begin = since(rule) < Infinity ? `begins ${new Date(since(rule)).toISOString()}` : 'is left out';
    print(`${rule.record.metric} ${begin}: the service lists no earlier task`);
  }

  for (let at = state.next; at <= Math.min(to, Date.now()); at += HOUR) {
    const lines: string[] = [];
    for (const rule of rules.filter((one) => since(one) <= at)) {
      const { samples, unknown } = await samplesAt(ask, rule, at);
      lines.push(...written(rule.record.metric, samples, at));
      state.unknown += unknown;
    }
    appendFileSync(output, lines.join(''));
    state.bytes += Buffer.byteLength(lines.join(''));
    state = { ...state, next: at + HOUR, samples: state.samples + lines.length };
    writeFileSync(progress, JSON.stringify(state));
    if (at % DAY === 0) {
      print(`${new Date(at).toISOString()}: ${state.samples} samples`);
    }
  }
  appendFileSync(output, '# EOF\n');
  print(`${output}: ${state.samples} samples; ${state.unknown} rates are left out: a task ran for longer than usual`);
}

async function push(url: string, file: string): Promise<void> {
  const body = createReadStream(file) as unknown as BodyInit;
  const response = await send('push', url, '/api/v1/import/prometheus', { body, duplex: 'half' } as RequestInit);
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  }
}

function addressOf(name: string, text = ''): string {
  // fetch would repeat credentials in its message.
  if (!/^https?:\/\/[^@]+$/.test(text)) {
    throw new Error(`--${name} needs an address with http or https, and without credentials`);
  }
  return text.replace(/\/+$/, '');
}

function timeOf(name: string, text = ''): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) {
    throw new Error(`--${name} needs a time such as 2026-11-01 or 2026-11-01T09:00Z, not "${text}"`);
  }
  return at;
}

async function main() {
  const token = process.env.GRAFANA_TOKEN?.trim();
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ help: { type: 'boolean' }, grafana: text, 'data-source': text, from: text, to: text, push: text },
      rules: { ...text, default: 'provisioning/history/alerting.yaml' },
      output: { ...text, default: 'history.om' },
    },
  });
  if (values.help) {
    return console.log(help);
  }
  const { grafana, 'data-source': uid, rules, output } = values;
  const required = { GRAFANA_TOKEN: token, '--grafana': grafana, '--data-source': uid, '--from': values.from };
  const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : [name]));
  if (!token || !uid || missing.length > 0) {
    throw new Error(`${missing.join(', ')} must be set: see --help`);
  }
  const target = values.push && addressOf('push', values.push);
  const [from, now] = [timeOf('from', values.from), Date.now()];
  const to = values.to ? timeOf('to', values.to) : now;
  if (from > Math.min(to, now)) {
    const limit = from > now ? 'in the future' : `after --to ${values.to}`;
    throw new Error(`--from ${values.from} is ${limit}: choose an earlier --from`);
  }
  const address = addressOf('grafana', grafana);
  const options = { ask: grafanaAt(address, token), grafana: address, uid, rules, from, to, output };
  await backfill(options, console.error);
  await (target && push(target, output));
}

if (require.main === module) {
  main().catch(({ message, cause }: Error) => {
    console.error(message, (cause as Error | undefined)?.message ?? '');
    process.exitCode = 1;
  });
}
