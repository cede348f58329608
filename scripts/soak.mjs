import { launch } from './lib/launch.mjs';

const help = `Usage: npm run soak -- [options]

Keeps the built backend busy over gRPC while the simulated service's clock runs fast, faults come and go, and the key is
rotated, and compares every response with an independent count. Prints one line a minute and a verdict; exit status 0 or 1.

  --minutes <number>        duration, at least 0.5 (default: 5)
  --seed <number>           determines world, panels, rules, and the order of faults (default: 1)
  --tasks-per-day <number>  more tasks make longer reads, during which more changes (default: 500)
  --help                    show this help`;

if (process.argv.includes('--help')) {
  console.log(help);
  process.exit(0);
}

await launch('../../workbench/soak/soak.ts');
