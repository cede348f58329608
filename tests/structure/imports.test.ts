import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { filesBelow, read } from '../docs/support/pages';

const folders = ['src', 'schema', 'simulator', 'workbench', 'tests'];
const files = folders.flatMap((folder) => filesBelow(folder, /\.tsx?$/));

/** The file that a relative import names, or undefined if it's not TypeScript. */
function resolve(from: string, name: string): string | undefined {
  const base = path.posix.join(path.posix.dirname(from), name);
  return ['.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => base + end).find((file) => existsSync(file));
}

/** The files that each file imports, types included: they decide what can be read without the other file. */
const imports = new Map(
  files.map((file) => {
    const names = ts.preProcessFile(read(file)).importedFiles.map(({ fileName }) => fileName);
    const own = names.filter((name) => name.startsWith('.')).map((name) => resolve(file, name));
    return [file, own.filter((found) => found !== undefined)];
  })
);

/** The first circle that a depth-first walk from a file finds. */
function circleFrom(file: string, walked: Set<string>, above: string[] = []): string[] | undefined {
  if (above.includes(file)) {
    return [...above.slice(above.indexOf(file)), file];
  }
  if (walked.has(file)) {
    return undefined;
  }
  walked.add(file);
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, walked, [...above, file]);
    if (circle) {
      return circle;
    }
  }
  return undefined;
}

test('no file imports itself through others', () => {
  const walked = new Set<string>();
  assert.deepEqual(
    files.map((file) => circleFrom(file, walked)?.join(' → ')).filter((circle) => circle !== undefined),
    []
  );
});
