import type { Parts, Call } from '../service/behaviour.ts';
import { scatter } from '../subject/scatter.ts';
import { type Variant, listVariants } from '../subject/variant.ts';

const valid =
  'Resources / Pet: `id` is an integer of format int64, assigned by the service; nothing says how.';

/** Ids by the number of the addition, from 0. */
function assigned(assign: (count: bigint, call: Call) => bigint): Parts {
  let additions = -1n;
  return { assignId: (_value, call) => assign((additions += 1n), call) };
}

/** Ids that look random, with the number of the addition inside so that none comes twice. */
function scatterBits(count: bigint): bigint {
  const part = (offset: number): bigint => BigInt(scatter(Number(count) + offset));
  const high = part(0) * 4_096n + part(500);
  return ((high << 38n) + (part(900) << 20n) + count + 1_000n) % (1n << 63n);
}

export const identifierVariants: readonly Variant[] = listVariants('identifier', valid, assigned, {
  'beyond-double': [
    'Ids go on from 2^53, where a double has no odd numbers.',
    (count) => 2n ** 53n + 1n + count,
  ],
  'random-63-bits': ['Ids are random numbers of up to 63 bits.', scatterBits],
  largest: ['Ids come down from the largest of int64.', (count) => 2n ** 63n - 1n - count],
  negative: ['Ids go down from -1.', (count) => -1n - count],
  smallest: ['Ids go up from the smallest of int64.', (count) => -(2n ** 63n) + count],
  choices: [
    'Ids have gaps, since each node takes a thousand at a time.',
    (count, { inventory }) => inventory.nextId + 1_000n * (count % 3n) + 7n * count,
  ],
  'steps-of-ten': ['Ids go up in steps of ten.', (count) => 1_000n + 10n * count],
  time: [
    'Ids are made of the time in milliseconds and a number.',
    (count, { now }) => (BigInt(now) << 12n) + count,
  ],
  backwards: ['Later pets have smaller ids.', (count) => 1_000_000n - count],
});
