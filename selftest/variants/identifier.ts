import type { Call, ServiceBehaviour } from '../service/behaviour.ts';
import { scatter } from '../service/scatter.ts';
import type { Variant } from '../subject/variant.ts';

const lawful =
  'Resources / Pet: `id` is an integer of format int64, assigned by the service; nothing says how.';

/** Ids by the number of the addition, from 0. */
function assigned(
  id: string,
  summary: string,
  assign: (count: bigint, call: Call) => bigint,
): Variant {
  const behaviour = (): Partial<ServiceBehaviour> => {
    let additions = -1n;
    return { assignId: (_value, call) => assign((additions += 1n), call) };
  };
  return { id: `identifier-${id}`, summary, lawful, behaviour };
}

/** Ids that look random, with the number of the addition inside so that none comes twice. */
function scatterBits(count: bigint, bits: bigint): bigint {
  const high = BigInt(scatter(Number(count))) * 4_096n + BigInt(scatter(Number(count) + 500));
  return (
    ((high << 38n) + (BigInt(scatter(Number(count) + 900)) << 20n) + count + 1_000n) % (1n << bits)
  );
}

/** How ids are chosen. */
export const identifierVariants: readonly Variant[] = [
  assigned(
    'beyond-double',
    'Ids go on from 2^53, where a double has no odd numbers.',
    (count) => 2n ** 53n + 1n + count,
  ),
  assigned('random-63-bits', 'Ids are random numbers of up to 63 bits.', (count) =>
    scatterBits(count, 63n),
  ),
  assigned(
    'largest',
    'Ids come down from the largest of int64.',
    (count) => 2n ** 63n - 1n - count,
  ),
  assigned('negative', 'Ids go down from -1.', (count) => -1n - count),
  assigned('smallest', 'Ids go up from the smallest of int64.', (count) => -(2n ** 63n) + count),
  assigned(
    'choices',
    'Ids have gaps, since each node takes a thousand at a time.',
    (count, { inventory }) => inventory.nextId + 1_000n * (count % 3n) + 7n * count,
  ),
  assigned('steps-of-ten', 'Ids go up in steps of ten.', (count) => 1_000n + 10n * count),
  assigned(
    'time',
    'Ids are made of the time in milliseconds and a number.',
    (count, { now }) => (BigInt(now) << 12n) + count,
  ),
  assigned('backwards', 'Later pets have smaller ids.', (count) => 1_000_000n - count),
];
