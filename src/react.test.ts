import { version } from 'react';
import { version as rendererVersion } from 'react-dom';

declare const REACT_MAJOR: string;

test('these tests run on the React that their project is named after', () => {
  expect(version.split('.')[0]).toBe(REACT_MAJOR);
  expect(rendererVersion).toBe(version);
});
