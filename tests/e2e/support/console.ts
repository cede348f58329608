import { type Page } from '@playwright/test';

/** Lines of Grafana's own, which come with or without this plugin. */
const grafanas = [
  // Grafana looks for updates and news on the internet, which a test machine may not have.
  /^Failed to load resource: .* 50[0-9]/,
  /Failed to fetch plugins from catalog/,
];

/** Keeps errors and warnings of the page's console; call what it returns for those that are not Grafana's own. */
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
