import { version } from 'react';
import { version as rendererVersion } from 'react-dom';

declare const REACT_MAJOR: string;

test("these tests use the version of React in their project's name", () => {
  expect(version.split('.')[0]).toBe(REACT_MAJOR);
  expect(rendererVersion).toBe(version);
});
