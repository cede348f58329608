import type { Dice } from './dice';

const literals = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1',
    '20.0',
    '1e3',
    '1e999',
    '-1e400',
    '4e-400',
    '12345678901234567890',
  ],
  ...[
    '9223372036854775807',
    '1000000000',
    '0.1',
    '[]',
    '{}',
    '[[]]',
    '{"a":{"b":[null]}}',
    '""',
    '"20"',
    '"NaN"',
    '"é😀"',
  ],
  ...['"\\ud800"', '"\\u0000"', '"2026-02-30T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"', '"soon"'],
];

const names = [
  'content',
  'size',
  'totalElements',
  'totalPages',
  'last',
  'page',
  'id',
  '_id',
  'label',
  'state',
  'message',
  '',
];

/** A JSON value of any kind, as text. It can contain numbers that a double can't represent. */
export function randomJson(dice: Dice, depth = 3): string {
  const kind = dice.int(0, depth > 0 ? 9 : 6);
  if (kind < 6) {
    return dice.pick(literals);
  }
  if (kind === 6) {
    return JSON.stringify('x'.repeat(dice.pick([1, 100, 5000])));
  }
  const parts = Array.from({ length: dice.int(0, 4) }, () => randomJson(dice, depth - 1));
  if (kind === 7) {
    return `[${parts.join(',')}]`;
  }
  return `{${parts.map((part) => `${JSON.stringify(dice.pick(names))}:${part}`).join(',')}}`;
}

/** A slot of a JSON value: its parent, and its name or index there. */
interface Slot {
  holder: Record<string, unknown>;
  name: string;
}

function slotsIn(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...slotsIn(holder[name])]);
}

const hole = '@@hole@@';

/** The same JSON with one value replaced, removed, or duplicated. */
function exchanged(json: string, dice: Dice, secret: string): string {
  const root: unknown = JSON.parse(json);
  const slots = slotsIn(root);
  if (slots.length === 0) {
    return randomJson(dice);
  }
  const { holder, name } = dice.pick(slots);
  if (dice.chance(0.2) && !Array.isArray(holder)) {
    delete holder[name];
    return JSON.stringify(root);
  }
  const old = JSON.stringify(holder[name]);
  holder[name] = hole;
  const fresh = dice.weighted([
    [8, randomJson(dice)],
    [1, JSON.stringify(secret)],
    [1, Array.isArray(holder) ? `${old},${old}` : old],
  ]);
  return JSON.stringify(root).replace(`"${hole}"`, () => fresh);
}

/** The same bytes with some of them changed, removed, added, or moved. */
function scratched(json: string, dice: Dice): Buffer {
  const bytes = Buffer.from(json);
  const at = dice.int(0, Math.max(0, bytes.length - 1));
  const some = Buffer.from(
    dice.pick(['\0', '"', '{', '}', '[', ']', ',', ':', '\\', '1', 'e', ' ', '\ufeff', 'null', 'é'])
  );
  return dice.weighted([
    [3, Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)])],
    [3, Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at + some.length)])],
    [2, bytes.subarray(0, at)],
    [2, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + dice.int(1, 40))])],
    [1, Buffer.concat([bytes.subarray(0, at), Buffer.from([dice.int(128, 255)]), bytes.subarray(at + 1)])],
    [1, Buffer.concat([bytes, bytes])],
    [1, Buffer.concat([Buffer.from('\ufeff'), bytes])],
  ]);
}

function nonsense(dice: Dice): Buffer {
  return dice.weighted([
    [2, Buffer.from(Array.from({ length: dice.int(0, 300) }, () => dice.int(0, 255)))],
    [1, Buffer.from(dice.pick(['[', '{"a":', '[{"x":']).repeat(dice.pick([10, 9_999, 20_000])))],
    [1, Buffer.from('<!DOCTYPE html><html><body>Sign in</body></html>')],
    [1, Buffer.alloc(0)],
  ]);
}

/** A page of the service, spoiled in one of many ways. It can contain a secret as a value. */
export function spoiled(json: string, dice: Dice, secret: string): Buffer {
  let text = json;
  switch (
    dice.weighted([
      [6, 'exchanged'],
      [3, 'scratched'],
      [2, 'random'],
      [1, 'nonsense'],
    ] as const)
  ) {
    case 'exchanged':
      for (let times = dice.int(1, 3); times > 0; times -= 1) {
        text = exchangedOnce(text, dice, secret);
      }
      return Buffer.from(text);
    case 'scratched':
      return scratched(json, dice);
    case 'random':
      return Buffer.from(randomJson(dice, 4));
    default:
      return nonsense(dice);
  }
}

// A number such as 1e999 doesn't survive being parsed and serialized again, so one of them is enough.
function exchangedOnce(text: string, dice: Dice, secret: string): string {
  return /e\d{3}|\d{17}/.test(text) ? text : exchanged(text, dice, secret);
}
