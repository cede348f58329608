import { type Filter, operators } from '../query';
import { isComplete, isMultiValue, newFilter, withKey, withOperator } from './filterRows';

const one: Filter = { key: 'state', operator: '=', value: 'START' };
const several: Filter = { key: 'state', operator: '=|', values: ['START', 'RUNNING'] };

it('knows which operators take several values', () => {
  expect(operators.filter(isMultiValue)).toEqual(['=|', '!=|']);
});

describe('isComplete', () => {
  it.each<[string, Filter, boolean]>([
    ['with field and value', one, true],
    ['with several values', several, true],
    ['that asks for rows without a value', { ...one, value: '' }, true],
    ['that was just added', newFilter, false],
    ['without a field', { ...one, key: '' }, false],
    ['without a value', { key: 'state', operator: '=' }, false],
    ['with an empty list', { ...several, values: [] }, false],
    ['with one value where several belong', { key: 'state', operator: '=|', value: 'START' }, false],
    ['with several values where one belongs', { key: 'state', operator: '=', values: ['START'] }, false],
  ])('a filter %s: %#', (_, filter, expected) => {
    expect(isComplete(filter)).toBe(expected);
  });
});

describe('withKey', () => {
  it('forgets the values, which mean nothing to another field', () => {
    expect(withKey(one, 'machineId')).toEqual({ key: 'machineId', operator: '=' });
    expect(withKey(several, 'machineId')).toEqual({ key: 'machineId', operator: '=|' });
  });
});

describe('withOperator', () => {
  it.each<[Filter, Filter['operator'], Filter]>([
    [one, '!=', { key: 'state', operator: '!=', value: 'START' }],
    [one, '=|', { key: 'state', operator: '=|', values: ['START'] }],
    [several, '!=|', { ...several, operator: '!=|' }],
    [several, '=~', { key: 'state', operator: '=~', value: 'START' }],
    [{ ...one, value: '' }, '=|', { key: 'state', operator: '=|', values: [''] }],
    [newFilter, '=|', { key: '', operator: '=|' }],
    [{ key: 'state', operator: '=|', values: [] }, '=', { key: 'state', operator: '=' }],
  ])('%j as %s', (filter, operator, expected) => {
    expect(withOperator(filter, operator)).toEqual(expected);
  });
});
