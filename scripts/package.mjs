import { createWriteStream, readFileSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { root, step } from './setup.mjs';

// Builds the archive for the catalog and `grafana cli`: one directory named after the plugin, for every platform that
// the SDK builds for. Signs it if GRAFANA_ACCESS_POLICY_TOKEN is set.

const dist = path.join(root, 'dist');

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

// A binary without its executable bit doesn't start, and Grafana's message hardly says why.
const mode = (file) => (path.basename(file).startsWith('gpx_') ? 0o100755 : 0o100644);

async function zip(id, archive) {
  const file = new ZipFile();
  for (const name of filesBelow(dist)) {
    file.addFile(path.join(dist, name), `${id}/${name.split(path.sep).join('/')}`, { mode: mode(name) });
  }
  file.end();
  await mkdir(path.dirname(archive), { recursive: true });
  await pipeline(file.outputStream, createWriteStream(archive));
}

rmSync(dist, { recursive: true, force: true });
await step('Frontend', ['npm', 'run', '--silent', 'build:frontend']);
await step('Backend for all platforms', ['go', 'tool', 'mage', '-v', 'buildAll']);
if (process.env.GRAFANA_ACCESS_POLICY_TOKEN) {
  await step('Signature', ['npm', 'run', '--silent', 'sign']);
}
const { id, info } = JSON.parse(readFileSync(path.join(dist, 'plugin.json'), 'utf8'));
const archive = path.join('artifacts', `${id}-${info.version}.zip`);
await zip(id, path.join(root, archive));
console.log(`Wrote ${archive}`);
