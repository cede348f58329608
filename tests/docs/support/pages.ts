import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(__dirname, '..', '..', '..');

export const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** A page of the documentation. */
export interface Page {
  /** Relative to the root of the repository, with slashes. */
  file: string;
  text: string;
}

/** Every page of the documentation. */
export const pages: Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'src/README.md',
  'tests/e2e/README.md',
  'tests/load/README.md',
  ...docs(),
].map((file) => ({ file, text: read(file) }));

function docs(): string[] {
  return filesBelow('docs', /\.md$/).sort();
}

export const page = (file: string) => ({ file, text: read(file) });

/** Files below a folder of the repository, relative to its root. */
export function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((file) => ending.test(file));
}
