import { launch } from './lib/launch.mjs';

const help = `Usage: npm run soak -- [options]

Keeps the built backend busy over gRPC while the simulated service's clock runs fast, faults come and go and the key is
rotated, and compares every answer with a count of its own. Prints one line a minute and a verdict; exit status 0 or 1.

  --minutes <number>        how long, 0.5 or more (default: 5)
  --seed <number>           world, panels, rules and the order of faults (default: 1)
  --tasks-per-day <number>  more of them make longer reads, under which more moves (default: 500)
  --help                    this text`;

if (process.argv.includes('--help')) {
  console.log(help);
  process.exit(0);
}

await launch('../../workbench/soak/soak.ts');
