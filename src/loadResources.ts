import { type ResourceLoader, type Resources } from '@grafana/i18n';

const loaders: Record<string, () => Promise<{ default: Resources }>> = {
  'es-ES': () => import('./locales/es-ES/insights-reporting-datasource.json'),
  'pt-BR': () => import('./locales/pt-BR/insights-reporting-datasource.json'),
};

/** Loads the texts of a language. Without texts for a language, the English texts in the code are shown. */
export const loadResources: ResourceLoader = async (language) => (await loaders[language]?.())?.default ?? {};
