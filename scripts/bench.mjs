import { launch } from './lib/launch.mjs';

await launch('../../workbench/bench/bench.ts');
