import type { FrameJson, ResultJson } from '../backend/frames';
import type { CaseQuery } from './queries';
import { difference, distinct, endings, rowsOf, saysMore } from './plain';
import { secretAt } from './secrets';
import type { Played, SentPage } from './service';
import type { WorldRecord } from './world';

/** A defect: its kind, of which a few examples suffice, and the details of this one. */
export interface Finding {
  kind: string;
  detail: string;
}

const broken = /panic|runtime error|goroutine \d|nil pointer|internal error|unexpected error|\[recovered\]/i;

// The plugin's own sentences that can contain text of the service, so that each is reported separately.
const sentences = [
  ...[
    'malformed',
    'redirects to',
    'fields are',
    'rejected the login',
    'shown as null',
    'cannot be parsed',
    'cannot resolve',
  ],
  ...['too large', 'asks to wait', 'returned', 'cannot reach'],
];

const sentenceOf = (text: string) => sentences.find((words) => text.includes(words)) ?? 'elsewhere';

/** Checks a text that the plugin produced: it contains no secret and shows no internal failure. */
export function checkText(where: string, text: string): Finding[] {
  const at = secretAt(text);
  const detail = text.slice(Math.max(0, at - 250), at + 150);
  return [
    ...(at >= 0 ? [{ kind: `${where} contains a secret (${sentenceOf(detail)})`, detail }] : []),
    ...(broken.test(text) ? [{ kind: `${where} shows a defect of the plugin`, detail: text.slice(0, 600) }] : []),
  ];
}

function checkError({ error = '', errorSource, status }: ResultJson): Finding[] {
  const what = `${status} ${errorSource}: ${error.slice(0, 300)}`;
  return [
    ...checkText('an error', error),
    ...(errorSource !== 'downstream' ? [{ kind: 'an error that is not downstream', detail: what }] : []),
    ...(status < 400 || status > 599 ? [{ kind: 'an error with an invalid status', detail: what }] : []),
    ...(error.length > 1_500 ? [{ kind: 'an endless error', detail: `${error.length} characters: ${what}` }] : []),
    ...(error.trim().length < 10 || /[\0-\x1f]/.test(error)
      ? [{ kind: 'an error that is not a sentence', detail: what }]
      : []),
  ];
}

function noticesOf(frame: FrameJson): string[] {
  return ((frame.schema.meta?.notices ?? []) as Array<{ text: string }>).map(({ text }) => text);
}

/** The rows that a response can contain without a notice: those of the world, or those that were sent. */
function expectedRows({ of }: Played, set: string, sent: SentPage[]): WorldRecord[][] | string {
  if (sent.every(({ isTrue }) => isTrue)) {
    return [of.world[set]];
  }
  const possible = endings(set, sent);
  if (possible.length === 0) {
    return 'an unreadable page';
  }
  const whole = possible.filter((readings) => !saysMore(readings));
  return whole.length === 0
    ? 'fewer rows than the service reports'
    : whole.map((readings) => distinct(set, rowsOf(readings)));
}

function wrongRows({ set, expects }: CaseQuery, rows: WorldRecord[], frame: FrameJson): string | undefined {
  if (expects === 'rows') {
    return difference(set, rows, frame);
  }
  const count = frame.data.values[0]?.[0];
  return count === rows.length ? undefined : `a count of ${count} instead of ${rows.length}`;
}

function checkRows(played: Played, query: CaseQuery, frame: FrameJson): Finding[] {
  const { set, days, expects } = query;
  const pages = played.pages.get(`${set} ${days}`)?.values() ?? [];
  const sent = [...pages].sort((a, b) => a.number - b.number);
  const spoiled = sent.every(({ isTrue }) => isTrue) ? `true pages, ${played.of.envelope[set]}` : 'spoiled pages';
  const expected = expectedRows(played, set, sent);
  if (typeof expected === 'string') {
    return [{ kind: `without a notice (${spoiled}): ${expected}`, detail: `${set}, ${sent.length} pages requested` }];
  }
  const wrong = expected.map((rows) => wrongRows(query, rows, frame));
  return wrong.includes(undefined)
    ? []
    : [{ kind: `without a notice (${spoiled}): wrong ${expects}`, detail: `${set}: ${wrong.join('; or ')}` }];
}

/** Checks a response: it is an error or frames, which are correct or have a notice. */
export function checkResult(played: Played, query: CaseQuery, result: ResultJson | undefined): Finding[] {
  if (result === undefined) {
    return [{ kind: 'no response for a refId', detail: JSON.stringify(query) }];
  }
  if (result.error !== undefined) {
    return [...checkError(result), ...(result.frames.length > 0 ? [{ kind: 'an error and frames', detail: '' }] : [])];
  }
  // A timeline has one frame for each lane.
  if (query.json.format === 'timeline' ? result.frames.length === 0 : result.frames.length !== 1) {
    return [{ kind: 'neither an error nor a frame', detail: JSON.stringify(query) }];
  }
  const [frame] = result.frames;
  const said = result.frames.flatMap(({ schema }) => checkText('text in a frame', JSON.stringify(schema.meta ?? {})));
  const isChecked = query.expects !== 'anything' && noticesOf(frame).length === 0;
  return isChecked ? [...said, ...checkRows(played, query, frame)] : said;
}
