const shown = ['warn', 'error'];

/** Prints what the backend warns of; the rest of its log is for whoever looks for it. */
export function printWarning(line: string): void {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    // A panic, or something else that is no log line: nothing of it may get lost.
    console.error(line);
    return;
  }
  const { '@level': level, '@message': message, error, refID, status } = entry;
  if (shown.includes(String(level))) {
    const facts = Object.entries({ refID, status, error }).filter(([, value]) => value !== undefined);
    console.error([`backend ${level}: ${message}`, ...facts.map(([name, value]) => `${name}=${value}`)].join(' '));
  }
}
