import type { Mutant } from '../subject/subject.ts';
import { authMutants } from './auth.ts';
import { bodyMutants } from './body.ts';
import { concurrencyMutants } from './concurrency.ts';
import { fuzzMutants } from './fuzz.ts';
import { rateLimitMutants } from './rate-limit.ts';
import { requestMutants } from './request.ts';
import { robustnessMutants } from './robustness.ts';
import { stateMutants } from './state.ts';
import { textMutants } from './text.ts';

/** Every mutant of `openapi.yaml` that is written by hand. */
export const mutants: readonly Mutant[] = [
  ...authMutants,
  ...bodyMutants,
  ...concurrencyMutants,
  ...fuzzMutants,
  ...rateLimitMutants,
  ...requestMutants,
  ...robustnessMutants,
  ...stateMutants,
  ...textMutants,
];
