// force timezone to UTC to allow tests to work regardless of local timezone
// generally used by snapshots, but can affect specific tests
process.env.TZ = 'UTC';

const base = require('./.config/jest.config');
const { grafanaESModules, nodeModulesToTransform } = require('./.config/jest/utils');

module.exports = {
  // Jest configuration provided by Grafana scaffolding
  ...base,
  // Some d3 packages ship `.mjs` only, which create-plugin's list of transforms leaves out.
  transform: { ...base.transform, '^.+\\.mjs$': base.transform['^.+\\.(t|j)sx?$'] },
  transformIgnorePatterns: [nodeModulesToTransform([...grafanaESModules, '@grafana/plugin-ui'])],
  testMatch: [...base.testMatch, '<rootDir>/datasets/**/*.test.ts'],
};
