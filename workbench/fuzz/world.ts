import { dataSets, type DataSet, type Field } from '../../datasets/datasets';
import type { Dice } from './dice';

/** A record as the service sends it. */
export type WorldRecord = Record<string, unknown>;

/** The contents of a service: the records of each data set, in the order in which it lists them. */
export type World = Record<string, WorldRecord[]>;

const texts = [
  'intake',
  'Relatório São Paulo',
  'a "b", c',
  '',
  'START',
  'FINISHED',
  'SUCCESS',
  'FAILED',
  '日本',
  '<b>',
];

function time(dice: Dice): string {
  const iso = new Date(Date.UTC(2026, 0, 1) + dice.int(0, 300 * 86_400) * 1000 + dice.int(0, 999)).toISOString();
  return dice.pick([iso, iso.replace('Z', '+00:00'), iso.replace('Z', '+0000'), iso.replace('Z', '')]);
}

function value({ type, name }: Field, dice: Dice): unknown {
  // In the specification, null is a value of nearly every field.
  if (dice.chance(0.1) && name !== 'label') {
    return null;
  }
  switch (type) {
    case 'integer':
      return dice.int(0, 1000);
    case 'number':
      return dice.int(-4000, 4000) / 8;
    case 'time':
      return time(dice);
    default:
      return dice.pick(texts);
  }
}

function record(dataSet: DataSet, index: number, dice: Dice): WorldRecord {
  const made = Object.fromEntries(dataSet.fields.map((field) => [field.name, value(field, dice)]));
  const [key] = dataSet.fields;
  made[key.name] = key.type === 'integer' ? 1000 - index : `${key.name}-${String(index).padStart(3, '0')}`;
  if (dice.chance(0.3)) {
    made.extra = dice.pick([1, 'x', true, { a: [1] }, null]);
  }
  return made;
}

/** A small world, from nothing to a few pages of each data set. */
export function makeWorld(dice: Dice): World {
  const most = dice.pick([0, 1, 3, 12, 45]);
  return Object.fromEntries(
    dataSets.map((dataSet) => [
      dataSet.name,
      Array.from({ length: dice.int(0, most) }, (_, index) => record(dataSet, index, dice)),
    ])
  );
}
