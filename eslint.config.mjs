import { defineConfig } from 'eslint/config';
import grafanaI18n from '@grafana/i18n/eslint-plugin';
import baseConfig from './.config/eslint.config.mjs';

export default defineConfig([
  {
    ignores: ['dist/', 'coverage/', 'playwright-report/'],
  },
  ...baseConfig,
  {
    // Without a pattern that matches it, ESLint ignores TypeScript outside src.
    files: ['{datasets,findings,scripts,settings,simulator,tests,workbench}/**/*.{ts,tsx}'],
  },
  {
    // Every text of the UI goes through the locales.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/**/*.test.{ts,tsx}'],
    plugins: { '@grafana/i18n': grafanaI18n },
    rules: {
      '@grafana/i18n/no-untranslated-strings': 'error',
      '@grafana/i18n/no-translation-top-level': 'error',
    },
  },
]);
