import { bodyRuleVariants } from './body-rule.ts';
import { clockVariants } from './rate-limit/clock.ts';
import { countingVariants } from './rate-limit/counting.ts';
import { deliveryVariants } from './delivery.ts';
import { headerVariants } from './header.ts';
import { identifierVariants } from './identifier.ts';
import { inventoryVariants } from './inventory.ts';
import { memberVariants } from './member.ts';
import { neighbourVariants } from './neighbour.ts';
import { orderVariants } from './order.ts';
import { pagingVariants } from './paging.ts';
import { requestRuleVariants } from './request-rule.ts';
import { retryVariants } from './rate-limit/retry.ts';
import { windowVariants } from './rate-limit/window.ts';
import type { Variant } from '../subject/variant.ts';

/** Every valid variant, by what is unlike the plain service. */
export const variantFamilies: ReadonlyMap<string, readonly Variant[]> = new Map(
  Object.entries({
    'body-rule': bodyRuleVariants,
    delivery: deliveryVariants,
    header: headerVariants,
    identifier: identifierVariants,
    inventory: inventoryVariants,
    member: memberVariants,
    neighbour: neighbourVariants,
    order: orderVariants,
    paging: pagingVariants,
    'rate-limit': [...clockVariants, ...countingVariants, ...retryVariants, ...windowVariants],
    'request-rule': requestRuleVariants,
  }),
);

export const variants: readonly Variant[] = [...variantFamilies.values()].flat();
