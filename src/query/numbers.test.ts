import { decimal, readNumber, readWholeNumber } from './numbers';

const upward = { min: 1 };

it.each([
  ['7', 7],
  [' 30 ', 30],
  ['1', 1],
])('reads %p', (text, value) => {
  expect(readWholeNumber(text, upward)).toEqual({ value });
});

it.each(['', '  '])('treats %p as absent', (text) => {
  expect(readWholeNumber(text, upward)).toEqual({});
});

it.each(['0', '-1', '0.5', '1e3', 'ten', '٣', '9007199254740993', 'Infinity', '$days'])(
  'rejects %p and names it',
  (text) => {
    expect(readWholeNumber(text, upward)).toEqual({
      problem: `"${text}" is not allowed: enter a whole number of at least 1`,
    });
  }
);

it('supports an upper bound', () => {
  expect(readWholeNumber('32', { min: 1, max: 32 })).toEqual({ value: 32 });
  expect(readWholeNumber('33', { min: 1, max: 32 }).problem).toBe(
    '"33" is not allowed: enter a whole number from 1 to 32'
  );
});

it('allows 0 if the minimum is 0', () => {
  expect(readWholeNumber('0', { min: 0 })).toEqual({ value: 0 });
});

it('shows the text as it was typed', () => {
  expect(readWholeNumber('<b>&/', upward).problem).toContain('"<b>&/"');
});

it.each(['60.0', '60.', '6e1', '+60', ' 60 '])('reads %p as the backend does', (text) => {
  expect(readWholeNumber(text, upward, decimal)).toEqual({ value: 60 });
});

it.each(['60.5', '0x3c', '', '6e', 'Infinity'])('never reads %p as 60', (text) => {
  expect(readWholeNumber(text, upward, decimal).value).toBeUndefined();
});

it.each([
  ['0.5', 0.5],
  ['.5', 0.5],
  ['1000', 1000],
])('reads %p as a number', (text, value) => {
  expect(readNumber(text, { min: 0, max: 1000 })).toEqual({ value });
});

it.each(['0,5', '-0.5', '1000.1', 'NaN', 'Infinity'])('rejects %p as a number, and says how to write one', (text) => {
  expect(readNumber(text, { min: 0, max: 1000 }).problem).toBe(
    `"${text}" is not allowed: enter a number from 0 to 1000, such as 0.5`
  );
});
