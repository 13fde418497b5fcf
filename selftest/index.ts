import { bodyMutants } from './mutants/body.ts';
import { rateLimitMutants } from './mutants/rate-limit.ts';
import { requestMutants } from './mutants/request.ts';
import { stateMutants } from './mutants/state.ts';
import type { Mutant, Variant } from './subject/subject.ts';
import { inventoryVariants } from './variants/inventory.ts';
import { rateLimitVariants } from './variants/rate-limit.ts';
import { requestVariants } from './variants/request.ts';
import { responseVariants } from './variants/response.ts';

export { changeMutants } from './mutants/state.ts';
export { createService } from './service/service.ts';
export type { Mutant, Variant } from './subject/subject.ts';
export { changeVariants } from './variants/inventory.ts';

/** All hand-written mutants of `openapi.yaml`. */
export const mutants: readonly Mutant[] = [
  ...requestMutants,
  ...bodyMutants,
  ...rateLimitMutants,
  ...stateMutants,
];

/** All hand-written valid variants of `openapi.yaml`. */
export const variants: readonly Variant[] = [
  ...inventoryVariants,
  ...rateLimitVariants,
  ...requestVariants,
  ...responseVariants,
];
