import { type Page } from '@playwright/test';

/** Grafana's own messages, which appear with or without this plugin. */
const grafanas = [
  // Grafana checks for updates and news on the internet, to which a test machine may have no access.
  /^Failed to load resource: .* 50[0-9]/,
  /Failed to fetch plugins from catalog/,
  // Filter data by values, where a column is only there while it has something to say, in the language of its data source.
  /^\[FilterByValue\] Could not find index for field name: (No answer|Sem resposta|Sin respuesta)/,
];

/** Collects errors and warnings in the page's console; call the result for those that are not Grafana's own. */
export function watchConsole(page: Page): () => string[] {
  const lines: string[] = [];
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      lines.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  return () => lines.filter((line) => !grafanas.some((known) => known.test(line.replace(/^\w+: /, ''))));
}
