import * as engine from 're2js';

/** Takes the place of `linear-engine.ts` in a browser, which cannot load a module when it is wanted. */
export function loadLinearEngine(): typeof engine {
  return engine;
}
