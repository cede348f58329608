const shown = ['warn', 'error'];

// The SDK's own lines about error responses: the caller sees the error itself.
const known = ['Partial data response error', 'Plugin Request Completed'];

/** Prints the backend's warnings and errors; the rest of its log is only for debugging. */
export function printWarning(line: string): void {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    // A panic, or something else that is not a log line, must not get lost.
    console.error(line);
    return;
  }
  const { '@level': level, '@message': message, error } = entry;
  if (shown.includes(String(level)) && !known.includes(String(message))) {
    console.error(`backend ${level}: ${message}${error === undefined ? '' : ` error=${error}`}`);
  }
}
