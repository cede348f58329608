const shown = ['warn', 'error'];

// The SDK's own lines about answers that are errors: whoever asked is shown the error itself.
const known = ['Partial data response error', 'Plugin Request Completed'];

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
  const { '@level': level, '@message': message, error } = entry;
  if (shown.includes(String(level)) && !known.includes(String(message))) {
    console.error(`backend ${level}: ${message}${error === undefined ? '' : ` error=${error}`}`);
  }
}
