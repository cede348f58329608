// force timezone to UTC to allow tests to work regardless of local timezone
// generally used by snapshots, but can affect specific tests
process.env.TZ = 'UTC';

const { existsSync } = require('fs');

const base = require('./.config/jest.config');
const { grafanaESModules, nodeModulesToTransform } = require('./.config/jest/utils');

const react19 = {
  // Jest configuration provided by Grafana scaffolding
  ...base,
  displayName: 'react-19',
  // Some d3 packages ship only `.mjs`, and create-plugin's list of transforms doesn't include them.
  transform: { ...base.transform, '^.+\\.mjs$': base.transform['^.+\\.(t|j)sx?$'] },
  transformIgnorePatterns: [
    nodeModulesToTransform([...grafanaESModules, '@grafana/plugin-ui', '@react-hookz/web', '@ver0/deep-equal']),
  ],
  testMatch: [...base.testMatch, '<rootDir>/schema/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/react18\\.test\\.tsx$'],
};

// Grafana has React 18 up to 13.1 and React 19 from 13.2; the plugin uses that of the Grafana in which it runs.
const react18 = {
  ...react19,
  displayName: 'react-18',
  // Every editor once: what else they do, React has no part in.
  testMatch: ['<rootDir>/src/react18.test.tsx'],
  testPathIgnorePatterns: ['/node_modules/'],
  moduleNameMapper: {
    ...base.moduleNameMapper,
    '^react(-dom)?$': 'react$1-18',
    '^react(-dom)?/(.*)$': 'react$1-18/$2',
  },
};

// The oldest Grafana that the plugin supports, if its packages are installed: npm ci --prefix oldest-grafana. They want
// React 18, and cannot be next to the current ones. Every editor once, and all that calls Grafana's own functions.
const grafana12 = {
  ...react18,
  displayName: 'grafana-12.4',
  testMatch: [...react18.testMatch, '<rootDir>/src/{source,panel}/**/*.test.{ts,tsx}'],
  moduleNameMapper: {
    ...base.moduleNameMapper,
    '^(react|react-dom|i18next|@grafana/(?:data|i18n|runtime|schema|ui))$': '<rootDir>/oldest-grafana/node_modules/$1',
    '^(react|react-dom)/(.*)$': '<rootDir>/oldest-grafana/node_modules/$1/$2',
  },
};

// Tests of editors render several thousand elements, and other suites share the cores.
const projects = [react19, react18, ...(existsSync(`${__dirname}/oldest-grafana/node_modules`) ? [grafana12] : [])];
module.exports = { projects, testTimeout: 120_000 };
