import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { root } from '../backend/binary';
import { pluginId } from '../backend/context';
import type { PageFile } from './bundle';

const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`));

// Where each public path has its files; the first folder that holds one gives it.
const folders: Array<[prefix: string, folder: string]> = [
  [`/public/plugins/${pluginId}/`, path.join(root, 'dist')],
  ['/public/build/img/icons/', path.join(folderOf('@grafana/ui'), 'dist', 'public', 'img', 'icons')],
  // A few icons that `@grafana/ui` shows and does not ship.
  ['/public/build/img/icons/', path.join(root, 'workbench', 'icons')],
  ['/systemjs/', path.join(folderOf('systemjs'), 'dist')],
];

/** The page itself, the built plugin, and Grafana's icons, under the paths that Grafana has for them. */
export function assets(page: Map<string, PageFile>, script: string): Hono {
  const app = new Hono();
  const file = readFileSync(path.join(root, 'workbench', 'page', 'index.html'), 'utf8');
  const html = file.replace('</body>', `${script}</body>`);

  app.get('/', (context) => context.html(html));
  for (const [name, { text, type }] of page) {
    app.get(name, (context) => context.body(text, 200, { 'content-type': `${type}; charset=utf-8` }));
  }
  for (const [prefix, folder] of folders) {
    const rewriteRequestPath = (requested: string) => requested.slice(prefix.length);
    app.get(`${prefix}*`, serveStatic({ root: folder, rewriteRequestPath }));
  }
  return app;
}
