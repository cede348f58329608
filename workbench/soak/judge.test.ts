import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResultJson } from '../backend/frames';
import type { Asked, Row } from './asked';
import { type Circumstances, judge, type Outcome } from './judge';
import { answer, asked, MIDNIGHT, tableOf, task } from './testing';

const calm: Circumstances = { errors: [], areRowsSpoiled: false };
const HOUR = 3_600_000;

type Case = [name: string, answer: ResultJson, moments: Row[][], outcome: Outcome, complaint?: RegExp];

function each(question: Asked, cases: Case[], during = calm) {
  for (const [name, given, moments, outcome, complaint = outcome === 'wrong' ? /./ : /^$/] of cases) {
    test(`${outcome}: ${name}`, () => {
      const judgement = judge(
        question,
        given,
        moments.map((rows) => () => rows),
        during
      );
      assert.equal(judgement.outcome, outcome, judgement.complaint);
      assert.match(judgement.complaint ?? '', complaint);
    });
  }
}

const [one, two, three] = [task(1), task(2), task(3)];
const running = task(2, { state: 'RUNNING', finishStatus: null });
const all = [three, two, one];

describe('a table over a frozen world', () => {
  each(asked({ queryType: 'tasks', days: 1 }), [
    ['every row in its place', tableOf(all), [all], 'exact'],
    ['no rows where there are none', tableOf([]), [[]], 'exact'],
    ['a lost row', tableOf([three, one]), [all], 'wrong', /row 2 is \[1,.*expected \[2,/],
    ['the last row lost', tableOf([three, two]), [all], 'wrong', /2 rows, expected 3/],
    [
      'a lost row with a warning, although nothing moved',
      tableOf([three, two], ['incomplete']),
      [all],
      'wrong',
      /2 rows/,
    ],
    ['a duplicate row', tableOf([...all, one]), [all], 'wrong', /4 rows, expected 3/],
    ['two rows swapped', tableOf([two, three, one]), [all], 'wrong', /row 1/],
    ['a wrong cell', tableOf([three, running, one]), [all], 'wrong', /row 2 is .*RUNNING.*expected .*FINISHED/],
    ['a warning without a reason', tableOf(all, ['read 3 of 4 rows']), [all], 'wrong', /without a reason.*3 of 4/],
    ['an error without a reason', { status: 502, frames: [], error: 'no' }, [all], 'wrong', /without a reason: no/],
    ['no frame', { status: 200, frames: [] }, [all], 'wrong', /0 frames/],
    ['a column missing', answer([['id', [3, 2, 1]]]), [all], 'wrong', /columns id, expected id,state/],
  ]);
});

describe('a table over a moving world', () => {
  const later = [task(4), three, running];
  each(asked({ queryType: 'tasks', days: 1 }), [
    ['all rows of the first moment', tableOf(all), [all, later], 'exact'],
    ['all rows of the last moment', tableOf(later), [all, later], 'exact'],
    ['rows of both, each as it was', tableOf([task(4), three, two, one]), [all, later], 'mixed'],
    ['both the arrived and the departed row missing', tableOf([three, running]), [all, later], 'mixed'],
    ['a row that always existed is lost', tableOf([task(4), three]), [all, later], 'wrong', /1 of .* including id 2/],
    ['it is lost, with a warning', tableOf([task(4), three], ['read 2 of 3']), [all, later], 'incomplete'],
    [
      'with a warning, and a row that never existed',
      tableOf([task(5)], ['moved']),
      [all, later],
      'wrong',
      /never existed/,
    ],
    ['a row as it never was', tableOf([three, task(2, { totalItems: 6 })]), [all, later], 'wrong', /never existed/],
    ['a duplicate row', tableOf([three, two, running]), [all, later], 'wrong', /id 2 is listed twice/],
  ]);
});

describe('filters, sort, limit, and time range are applied independently', () => {
  const odd = asked({ queryType: 'tasks', days: 1, filters: [{ key: 'id', operator: '!=', value: '2' }] });
  each(odd, [
    ['the filter applied', tableOf([three, one]), [all], 'exact'],
    ['the filter not applied', tableOf(all), [all], 'wrong'],
  ]);
  each(asked({ queryType: 'tasks', days: 1, sort: { field: 'id', order: 'asc' }, limit: 2 }), [
    ['the first two', tableOf([one, two]), [all], 'exact'],
    ['the last two', tableOf([two, three]), [all], 'wrong', /row 1/],
    ['all', tableOf([one, two, three]), [all], 'wrong', /3 rows, the limit is 2/],
    ['wrong order, in a moving world', tableOf([two, one]), [all, [one]], 'wrong', /not in the order id asc/],
  ]);
  const outside = task(9, { dateCreation: MIDNIGHT + HOUR + 1 });
  each(asked({ queryType: 'tasks' }), [
    ['a task created after the range left out', tableOf(all), [[outside, ...all]], 'exact'],
    ['and included', tableOf([outside, ...all]), [[outside, ...all]], 'wrong'],
  ]);
  each(asked({ queryType: 'tasks', search: 'REFUNDS', days: 1 }), [
    [
      'only matches of the search',
      tableOf([task(7, { activityLabel: 'customer-refunds' })]),
      [[task(7, { activityLabel: 'customer-refunds' }), one]],
      'exact',
    ],
    ['something else', tableOf([one]), [[one]], 'wrong'],
  ]);
});

describe('numbers', () => {
  const failed = task(4, { repositoryLabel: 'legal', finishStatus: 'FAILED' });
  const rows = [failed, ...all];
  const query = { queryType: 'tasks', days: 1, format: 'numeric' } as const;
  const labels: [string, string[]] = ['repositoryLabel', ['finance', 'legal']];
  each(asked({ ...query, measure: 'tasks', groupBy: ['repositoryLabel'] }), [
    ['a count per group', answer([labels, ['tasks', [3, 1]]]), [rows], 'exact'],
    ['one too many', answer([labels, ['tasks', [4, 1]]]), [rows], 'wrong', /finance.*tasks is 4, expected 3/],
    [
      'a group is missing',
      answer([
        ['repositoryLabel', ['finance']],
        ['tasks', [3]],
      ]),
      [rows],
      'wrong',
      /legal.*missing/,
    ],
    ['an additional group', answer([labels, ['tasks', [3, 1]]]), [all], 'wrong', /legal.*never existed/],
    [
      'a duplicate group',
      answer([
        ['repositoryLabel', ['legal', 'legal']],
        ['tasks', [1, 1]],
      ]),
      [[failed]],
      'wrong',
      /twice/,
    ],
    ['a wrong measure', answer([labels, ['failedTasks', [0, 1]]]), [rows], 'wrong', /fields/],
    [
      'between two moments',
      answer([
        ['repositoryLabel', ['finance']],
        ['tasks', [2]],
      ]),
      [[one], all],
      'mixed',
    ],
    [
      'more than at any moment',
      answer([
        ['repositoryLabel', ['finance']],
        ['tasks', [4]],
      ]),
      [[one], all],
      'wrong',
      /between 1 and 3/,
    ],
    [
      'fewer than at any moment',
      answer([
        ['repositoryLabel', ['finance']],
        ['tasks', [1]],
      ]),
      [[one, two], all],
      'wrong',
      /between 2 and 3/,
    ],
    [
      'fewer, with a warning',
      answer(
        [
          ['repositoryLabel', ['finance']],
          ['tasks', [1]],
        ],
        ['moved']
      ),
      [[one, two], all],
      'incomplete',
    ],
  ]);
  each(asked({ ...query, measure: 'successRate' }), [
    ['a rate', answer([['successRate', [0.75]]]), [rows], 'exact'],
    ['absent without rows', answer([]), [[]], 'exact'],
    ['absent although there are rows', answer([]), [rows], 'wrong', /missing, expected 0.75/],
    ['wrong', answer([['successRate', [0.7]]]), [rows], 'wrong', /0.7, expected 0.75/],
  ]);
  each(asked({ ...query, measure: 'totalItems' }), [
    [
      'null, not 0, if nothing is reported',
      answer([['totalItems', [0]]]),
      [[task(1, { totalItems: null })]],
      'wrong',
      /expected null/,
    ],
    ['a sum', answer([['totalItems', [15]]]), [all], 'exact'],
  ]);
});

describe('lines', () => {
  const early = task(5, { dateCreation: MIDNIGHT - 1 });
  const times: [string, number[]] = ['time', [MIDNIGHT - HOUR, MIDNIGHT, MIDNIGHT + HOUR]];
  const query = { queryType: 'tasks', format: 'timeseries', measure: 'tasks' } as const;
  each(asked(query), [
    ['a count per bucket', answer([times, ['tasks', [1, 3, 0]]]), [[...all, early]], 'exact'],
    [
      'a task in the next bucket',
      answer([times, ['tasks', [0, 4, 0]]]),
      [[...all, early]],
      'wrong',
      /0 at .*T23:00.*expected 1/,
    ],
    [
      'wrong buckets',
      answer([
        ['time', [MIDNIGHT]],
        ['tasks', [4]],
      ]),
      [all],
      'wrong',
      /times/,
    ],
    ['no line', answer([]), [all], 'wrong', /missing/],
  ]);
  each(asked({ ...query, groupBy: ['state'] }), [
    ['a line per group', answer([times, ['tasks', [0, 3, 0], { state: 'FINISHED' }]]), [all], 'exact'],
    [
      'a line of another group',
      answer([times, ['tasks', [0, 3, 0], { state: 'START' }]]),
      [all],
      'wrong',
      /never existed/,
    ],
  ]);
});

describe('faults of the service', () => {
  const question = asked({ queryType: 'tasks', days: 1 });
  const failed = (error: string): ResultJson => ({ status: 502, frames: [], error });
  const told = { errors: [/\b500\b/], areRowsSpoiled: false };
  each(question, [['an error about it', failed('the service returned 500'), [all], 'excused']], told);
  each(question, [['an error about something else', failed('nil pointer'), [all], 'wrong', /nil pointer/]], told);
  each(question, [["an error doesn't excuse wrong rows", tableOf([three]), [all], 'wrong', /1 rows/]], told);
  const spoiled = { errors: [], areRowsSpoiled: true };
  each(question, [['spoiled rows, with a warning', tableOf([three], ['not a date']), [all], 'excused']], spoiled);
  each(question, [['spoiled rows, without a warning', tableOf([three]), [all], 'wrong', /1 rows/]], spoiled);
});
