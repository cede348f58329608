import { defineConfig } from 'eslint/config';
import grafanaI18n from '@grafana/i18n/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import baseConfig from './.config/eslint.config.mjs';

export default defineConfig([
  {
    ignores: ['dist/', 'coverage/', 'playwright-report/'],
  },
  ...baseConfig,
  {
    // Without a pattern that matches it, ESLint ignores TypeScript outside src.
    files: ['{dashboards,schema,scripts,simulator,tests,workbench}/**/*.{ts,tsx}'],
  },
  {
    // No React here: the rules of hooks would run React's compiler on each file.
    files: ['{dashboards,schema,scripts,simulator,tests}/**', 'workbench/!(page)/**'],
    rules: Object.fromEntries(
      Object.keys(reactHooks.configs.flat['recommended-latest'].rules).map((rule) => [rule, 'off'])
    ),
  },
  {
    // The scene graph is not part of Grafana's API for plugins: src/panel is the only place that may know it.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/panel/**', 'src/testing/panel.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(Identifier[name="__sceneObject"], Literal[value="__sceneObject"])',
          message: 'Only src/panel uses the scene graph.',
        },
      ],
      'no-restricted-imports': ['error', { name: '@grafana/scenes', message: 'Only src/panel uses the scene graph.' }],
    },
  },
  {
    // Types only: at run time, Grafana's own version of the scene graph is there.
    files: ['src/panel/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-restricted-imports': ['error', { name: '@grafana/scenes', allowTypeImports: true }],
    },
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
