export { type MutantResult, type Selftest, selftestContract } from './selftest.ts';
