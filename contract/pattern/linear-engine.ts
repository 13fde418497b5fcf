import { createRequire } from 'node:module';
import type * as re2Module from 're2js';

/** Loads the linear-time engine at the first call, because few patterns and texts need it. */
export function loadLinearEngine(): typeof re2Module {
  const require = createRequire(import.meta.url);
  const engine: typeof re2Module = require('re2js');
  return engine;
}
