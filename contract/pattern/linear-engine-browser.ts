import * as engine from 're2js';

/** Replaces `linear-engine.ts` in a browser, which cannot load a module synchronously on demand. */
export function loadLinearEngine(): typeof engine {
  return engine;
}
