import * as engine from 're2js';

/** Takes the place of `engine.ts` in a browser, which cannot load a module when it is wanted. */
export function loadLinearEngine(): typeof engine {
  return engine;
}
