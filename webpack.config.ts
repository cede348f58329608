import { type Compiler, type Configuration, sources } from 'webpack';
import { merge } from 'webpack-merge';

import grafanaConfig, { type Env } from './.config/webpack/webpack.config';
import { bundled } from './dashboards';

const name = 'Dashboards';

/** Writes the dashboards of all languages into the plugin. */
const dashboards = {
  apply({ hooks }: Compiler) {
    hooks.thisCompilation.tap(name, (compilation) =>
      compilation.hooks.processAssets.tap(name, () => {
        for (const [path, dashboard] of Object.entries(bundled)) {
          compilation.emitAsset(path, new sources.RawSource(JSON.stringify(dashboard)));
        }
      })
    );
  },
};

const config = async (env: Env): Promise<Configuration> => merge(await grafanaConfig(env), { plugins: [dashboards] });

export default config;
