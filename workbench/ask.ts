import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import type { Options } from './options';

/** Where prompts are written and answers are read. */
export interface Terminal {
  input: Readable & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Discards everything, so that typed text stays hidden. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

async function answerTo(question: string, { input, output }: Terminal, hidden: boolean): Promise<string> {
  if (input.readableEnded) {
    return '';
  }
  output.write(question);
  const lines = createInterface({ input, output: hidden ? nowhere() : output, terminal: hidden });
  try {
    // A closed input, as by Ctrl+D, has no line.
    const line = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')));
    return line.trim();
  } finally {
    lines.close();
    if (hidden) {
      output.write('\n');
    }
  }
}

/**
 * Prompts for the login and key of a service that neither the command line nor the environment provides, if somebody is
 * there to answer. The plugin itself reports what is empty.
 */
export async function askForMissing(
  options: Options,
  terminal: Terminal = { input: process.stdin, output: process.stdout }
): Promise<Options> {
  const { service } = options;
  if (!service || !terminal.input.isTTY) {
    return options;
  }
  const login = service.login || (await answerTo(`Login for ${service.url}: `, terminal, false));
  const key = service.key || (await answerTo('Key (not shown): ', terminal, true));
  return { ...options, service: { ...service, login, key } };
}
