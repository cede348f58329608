import { launch } from './setup.mjs';

const help = `Usage: npm run load -- [options]

Lets dashboards and rules query the built backend over gRPC while a day passes at the simulated service, with removed
tasks, faults, and a new key, and compares answers with those of a fresh data source. Then measures a table of ratios. Exit status
0 or 1.

  --minutes <number>  duration of the load; 10 are a day, 0 is only the table (default: 10)
  --seed <number>     determines world, dashboards, rules, and removals (default: 1)
  --tasks <number>, --data-sources <number>
                      instead, measures memory, requests, and processor of one process with so many data sources (1)
                      of so many tasks (50,000), each refreshed once a minute for --minutes (2)
  --help              show this help`;

if (process.argv.includes('--help')) {
  console.log(help);
  process.exit(0);
}

await launch('workbench/load/load.ts');
