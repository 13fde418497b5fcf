export { generateMutants } from './generate.ts';
export { Workshop } from './layer.ts';
export { type MutantResult, type Selftest, selftestContract } from './selftest.ts';
