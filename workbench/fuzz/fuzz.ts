import { parseArgs } from 'node:util';
import { Backend } from '../backend/host';
import { makeCase } from './case';
import { checkText } from './check';
import { Findings } from './findings';
import { play } from './play';
import { FuzzService } from './service';

/** Cases in flight. Many of them wait for a timeout or for the next attempt. */
const atOnce = 40;
const progressMs = 3_000;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } });

/** The seeds to play: a single one, or all from a first one until the time is over. */
function* seeds(): Generator<number> {
  if (values.seed !== undefined) {
    console.log(JSON.stringify(makeCase(Number(values.seed)), undefined, 1));
    yield Number(values.seed);
    return;
  }
  const first = Date.now() % 1_000_000_000;
  console.log(`seeds starting at ${first}`);
  const end = Date.now() + Number(values.seconds) * 1000;
  for (let seed = first; Date.now() < end; seed += 1) {
    yield seed;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function main(): Promise<number> {
  const started = Date.now();
  const findings = new Findings();
  const service = new FuzzService();
  await service.start();
  const backend = await Backend.start((line) => checkText('the log', line).forEach((found) => findings.add(found)));
  let executions = 0;
  const tell = () => {
    const seconds = Math.max(1, Math.round((Date.now() - started) / 1000));
    console.log(`fuzz: elapsed: ${seconds}s, execs: ${executions} (${Math.round(executions / seconds)}/sec)`);
  };
  const timer = setInterval(tell, progressMs);
  const queue = seeds();
  // A slot has one data source, whose settings change with each case: the backend discards the previous instance.
  const slot = async (_: unknown, index: number) => {
    for (const seed of queue) {
      const played = await play(backend, service, seed, `fuzz-${index}`);
      executions += played.executions;
      played.findings.forEach((found) => findings.add(found, seed));
      if (!isAlive(backend.pid)) {
        findings.add({ kind: 'the backend has ended', detail: '' }, seed);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, slot));
  clearInterval(timer);
  tell();
  await backend.stop();
  service.close();
  findings.print();
  return findings.size;
}

main().then(
  (found) => process.exit(found > 0 ? 1 : 0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  }
);
