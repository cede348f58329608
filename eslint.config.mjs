import { defineConfig } from 'eslint/config';
import grafanaI18n from '@grafana/i18n/eslint-plugin';
import baseConfig from './.config/eslint.config.mjs';

export default defineConfig([
  {
    ignores: [
      '**/logs',
      '**/*.log',
      '**/npm-debug.log*',
      '**/yarn-debug.log*',
      '**/yarn-error.log*',
      '**/.pnpm-debug.log*',
      '**/node_modules/',
      '.yarn/cache',
      '.yarn/unplugged',
      '.yarn/build-state.yml',
      '.yarn/install-state.gz',
      '**/.pnp.*',
      '**/pids',
      '**/*.pid',
      '**/*.seed',
      '**/*.pid.lock',
      '**/lib-cov',
      '**/coverage',
      '**/dist/',
      '**/artifacts/',
      '**/work/',
      '**/ci/',
      'test-results/',
      'playwright-report/',
      'blob-report/',
      'playwright/.cache/',
      'playwright/.auth/',
      '**/.idea',
      '**/.eslintcache',
    ],
  },
  ...baseConfig,
  {
    // Without a pattern that names them, ESLint passes over TypeScript outside src.
    files: ['{datasets,scripts,simulator,tests,workbench}/**/*.{ts,tsx}'],
  },
  {
    // Every text of the browser side goes through the locales.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/**/*.test.{ts,tsx}'],
    plugins: { '@grafana/i18n': grafanaI18n },
    rules: {
      '@grafana/i18n/no-untranslated-strings': 'error',
      '@grafana/i18n/no-translation-top-level': 'error',
    },
  },
]);
