import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../backend/binary';

// Grafana's packages exist as ES modules and as CommonJS, and a page must not contain both: contexts and singletons
// would exist twice. `@grafana/ui` can only be bundled in its CommonJS form, so all packages use that form.
const commonJs: Plugin = {
  name: 'commonjs-first',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path: name, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'import-statement' && kind !== 'dynamic-import') {
        return undefined;
      }
      const found = await resolve(name, { kind: 'require-call', importer, resolveDir, pluginData });
      return found.errors.length > 0 ? undefined : found;
    });
  },
};

// A plugin shares the page's emotion, which must be the one that `@grafana/ui` uses.
const emotion = require.resolve('@emotion/css', { paths: [path.dirname(require.resolve('@grafana/ui'))] });

/** A file of the page, ready to serve. */
export interface PageFile {
  text: string;
  type: string;
}

/** Versions of React that the page supports: 18 is in Grafana up to 13.1, and 19 from 13.2. */
export type ReactMajor = 18 | 19;

const reacts: Record<ReactMajor, Record<string, string>> = {
  18: { react: 'react-18', 'react-dom': 'react-dom-18' },
  19: {},
};

/** Bundles the page in memory: nothing is written, so nothing can be stale. */
export async function bundlePage(react: ReactMajor): Promise<Map<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: { app: path.join(root, 'workbench', 'page', 'main.tsx') },
    bundle: true,
    write: false,
    outdir: '/',
    format: 'iife',
    target: 'es2022',
    minify: true,
    sourcemap: false,
    logLevel: 'error',
    plugins: [commonJs],
    alias: { '@emotion/css': path.dirname(path.dirname(emotion)), ...reacts[react] },
    // Only the code editor needs it, which this plugin doesn't use; it would be most of the page.
    external: ['monaco-editor'],
    // SystemJS defines an AMD `define` on the page for the plugin; the libraries in this bundle must not use it.
    define: { 'process.env.NODE_ENV': '"production"', define: 'undefined', global: 'window' },
  });
  return new Map(
    outputFiles.map(({ path: file, text }) => {
      const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
      return [`/${path.basename(file)}`, { text, type }];
    })
  );
}
