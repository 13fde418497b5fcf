import type { Variant } from '../subject/subject.ts';
import { bodyRuleVariants } from './body-rule.ts';
import { inventoryVariants } from './inventory.ts';
import { neighbourVariants } from './neighbour.ts';
import { rateLimitVariants } from './rate-limit.ts';
import { requestRuleVariants } from './request-rule.ts';
import { responseVariants } from './response.ts';

/** Every valid variant of `openapi.yaml` that is written by hand. */
export const variants: readonly Variant[] = [
  ...bodyRuleVariants,
  ...inventoryVariants,
  ...neighbourVariants,
  ...rateLimitVariants,
  ...requestRuleVariants,
  ...responseVariants,
];
