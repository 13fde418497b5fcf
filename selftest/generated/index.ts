export { generateMutants } from './generate.ts';
export { FaultContext } from './layer.ts';
export { type MutantResult, type Selftest, selftestContract } from './selftest.ts';
