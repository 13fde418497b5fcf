import { authMutants } from './auth.ts';
import { flowMutants } from './flow.ts';
import type { ClientMutant } from './mutant.ts';
import { requestMutants } from './request.ts';
import { responseMutants } from './response.ts';
import { waitMutants } from './wait.ts';

export type { ClientMutant };

/** Habits of clients that break a rule, each by the one that it has to fail. */
export const clientMutants: readonly ClientMutant[] = [
  waitMutants,
  flowMutants,
  authMutants,
  requestMutants,
  responseMutants,
].flat();
