import * as codec from '../../contract/json/codec.ts';
import { listWords } from '../../contract/list/list.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { TypeOf } from '../../contract/json/codec.ts';

const { described, list, openObject, optional, orUndefined, refine, text, whole } = codec;

/** Most shards of one run. */
export const maxShards = 1000;

const place = whole(1, maxShards);

/** One of the runs that share the fuzzing of a larger one. Shards are counted from 1. */
export type Shard = TypeOf<typeof shard>;

export const shard = refine(
  codec.object({
    index: place,
    count: place,
    /** The version of the suite, because another one generates other values. Empty if unknown. */
    suite: text,
  }),
  ({ index, count }) => index <= count,
  'a shard such as 3 of 8',
);

/** What a report contains about its shard. */
export type ShardFacts = TypeOf<typeof shardFacts>;

export const shardFacts = openObject({
  index: place,
  count: place,
  suite: text,
  fuzz: described(whole(0), 'Fuzzing requests of all shards.'),
  share: described(whole(0), 'Those of this shard.'),
  /** SHA-256 of everything else that must be the same in every shard. */
  settings: text,
});

const shards = list(whole(1));

/** What a merged report contains about its shards, which are identified by number. */
export type MergeFacts = TypeOf<typeof mergeFacts>;

export const mergeFacts = openObject({
  count: described(whole(1), 'Shards of the whole run.'),
  missing: described(shards, 'Shards without a report, in order.'),
  fuzz: openObject({
    wanted: described(whole(0), 'Fuzzing requests of the whole run.'),
    missing: described(whole(0), 'Those of the missing shards.'),
    sent: described(whole(0), 'Those that were sent, according to the logs.'),
  }),
  shards: list(
    openObject({
      index: whole(1),
      outcome: codec.oneOf(['conforms', 'failed', 'inconclusive']),
      plan: orUndefined(text),
      tag: text,
      requests: whole(0),
      from: described(
        whole(0),
        'Index of the first of its exchanges, of which there are `requests`, in the merged report.',
      ),
      endedEarly: orUndefined(text),
    }),
  ),
  /** For each requirement, in the order of the verdicts, the shards of each verdict. */
  verdicts: list(
    openObject({
      id: text,
      passed: optional(shards),
      failed: optional(shards),
      open: optional(shards),
      'not-tested': optional(shards),
    }),
  ),
});

/** Reads `3/8`. Throws `PetstoreError` for any other text. */
export function parseShard(content: string, flag = '--shard'): Pick<Shard, 'index' | 'count'> {
  const [, first = '', second = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(content) ?? [];
  const [index, count] = [Number(first), Number(second)];
  if (index >= 1 && index <= count && count <= maxShards) return { index, count };
  throw new PetstoreError(
    'argument',
    `${flag} must be a number and a count, such as 3/8 for the third of 8, with a count of at most ${maxShards}, not "${content}".`,
  );
}

/** `shard 3`, `shards 1, 2 and 5`, `shards 1 to 4 and 7`: numbers in order. */
export function nameShards(indexes: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const index of indexes) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === index - 1) last.to = index;
    else ranges.push({ from: index, to: index });
  }
  const words = ranges.flatMap(({ from, to }) =>
    to - from < 2 ? [...new Set([from, to])].map(String) : [`${from} to ${to}`],
  );
  return `${indexes.length === 1 ? 'shard' : 'shards'} ${listWords(words)}`;
}

/** A part of the fuzzing that one shard sends as a whole. */
export interface Part {
  /** Parts of one kind are spread over the shards. */
  readonly kind: string;
  readonly requests: number;
}

/**
 * Deals parts to shards: each part goes to the one with the fewest of its kind, then the fewest
 * requests, then the lowest number. Deterministic.
 */
export function dealParts<P extends Part>(
  parts: readonly P[],
  count: number,
): readonly (readonly P[])[] {
  const hands = Array.from({ length: count }, () => ({
    parts: new Array<P>(),
    kinds: new Map<string, number>(),
    requests: 0,
  }));
  for (const part of parts) {
    const ofKind = ({ kinds }: (typeof hands)[number]): number => kinds.get(part.kind) ?? 0;
    const taker = hands.reduce((best, hand) =>
      (ofKind(hand) - ofKind(best) || hand.requests - best.requests) < 0 ? hand : best,
    );
    taker.parts.push(part);
    taker.requests += part.requests;
    taker.kinds.set(part.kind, ofKind(taker) + 1);
  }
  return hands.map((hand) => hand.parts);
}
