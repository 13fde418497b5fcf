import * as codec from '../../contract/json/codec.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { TypeOf } from '../../contract/json/codec.ts';

/** Most shards of one run. */
export const mostShards = 1000;

const place = codec.whole(1, mostShards);

/** One of the runs that share the fuzzing of a larger one. Shards are counted from 1. */
export type Shard = TypeOf<typeof shard>;

export const shard = codec.refine(
  codec.object({
    index: place,
    count: place,
    /** Names the suite that draws the values: another one draws others. Empty: unknown. */
    suite: codec.text,
  }),
  ({ index, count }) => index <= count,
  'a shard such as 3 of 8',
);

/** What a report contains about its shard. */
export type ShardFacts = TypeOf<typeof shardFacts>;

export const shardFacts = codec.openObject({
  index: place,
  count: place,
  suite: codec.text,
  fuzz: codec.described(codec.whole(0), 'Requests of the fuzzing of all shards.'),
  share: codec.described(codec.whole(0), 'Those that fell to this one.'),
  /** SHA-256 of all else that decided the run and has to be the same in every shard. */
  settings: codec.text,
});

/** Reads `3/8`. Throws `PetstoreError` for any other text. */
export function parseShard(text: string, flag = '--shard'): Pick<Shard, 'index' | 'count'> {
  const [, first = '', second = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const [index, count] = [Number(first), Number(second)];
  if (index >= 1 && index <= count && count <= mostShards) return { index, count };
  throw new PetstoreError(
    'argument',
    `${flag} must be a number and a count, such as 3/8 for the third of 8, with a count of at most ${mostShards}, not "${text}".`,
  );
}

/** `shard 3 of 8`. */
export function nameShard({ index, count }: Pick<Shard, 'index' | 'count'>): string {
  return `shard ${index} of ${count}`;
}
