import { createRequire } from 'node:module';
import { ready } from './ready.mjs';

try {
  await ready();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const require = createRequire(import.meta.url);
require('tsx/cjs');
require('../workbench/bench/bench.ts');
