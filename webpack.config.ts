import { type Compiler, type Configuration, sources } from 'webpack';
import { merge } from 'webpack-merge';

import grafanaConfig, { type Env } from './.config/webpack/webpack.config';
import { bundled } from './dashboards';
import { instructions } from './schema/skills';
import { translationsIn } from './schema/translations';
import pluginJson from './src/plugin.json';

const name = 'Insights';
const { id, languages } = pluginJson;

/** Writes the dashboards of all languages, instructions, and the translations of schema/ into the plugin. */
const assets = {
  apply({ hooks }: Compiler) {
    hooks.thisCompilation.tap(name, (compilation) =>
      compilation.hooks.processAssets.tap(name, (assets) => {
        for (const [path, dashboard] of Object.entries(bundled)) {
          compilation.emitAsset(path, json(dashboard));
        }
        for (const [path, text] of Object.entries(instructions)) {
          compilation.emitAsset(path, new sources.RawSource(text));
        }
        for (const language of languages) {
          const path = `locales/${language}/${id}.json`;
          const ownTexts = JSON.parse(assets[path]?.source().toString() ?? '{}');
          assets[path] = json({ ...ownTexts, ...translationsIn(language) });
        }
      })
    );
  },
};

const json = (value: object) => new sources.RawSource(JSON.stringify(value));

/** Keeps the translations of schema/ out of module.js: a user needs those of one language. */
const english = {
  test: /[\\/]schema[\\/]\w+\.json$/,
  type: 'json',
  parser: {
    parse: (text: string) => JSON.parse(text, (key, value) => (key === 'translations' ? undefined : value)),
  },
};

const config = async (env: Env): Promise<Configuration> =>
  merge(await grafanaConfig(env), { module: { rules: [english] }, plugins: [assets] });

export default config;
