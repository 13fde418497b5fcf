import type { RunOptions } from '../../conformance/index.ts';

/** The modes in which the suite is run. */
const runModes: readonly (readonly [mode: string, options: RunOptions])[] = [
  ['as it comes', {}],
  ['driven to the limit', { exhaust: true }],
  ['read only', { readOnly: true }],
  ['in part', { only: ['state', 'createPet'], skip: ['getPet', 'auth'] }],
  ['with eight requests', { requests: 8 }],
  ['with twice the requests', { requests: 120, seed: 7 }],
  ['without smaller counterexamples', { shrink: 0 }],
];

/** The mode for the nth subject, in turn. */
export function runModeOf(nth: number): { readonly mode: string; readonly options: RunOptions } {
  const [mode, options] = runModes[nth % runModes.length] ?? ['as it comes', {}];
  return { mode, options };
}
