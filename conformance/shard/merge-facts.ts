import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';

const { described, list, openObject, optional, text, whole } = codec;

const shards = list(whole(1));

/** What a merged report contains about its shards, which are identified by number. */
export type MergeFacts = TypeOf<typeof mergeFacts>;

export const mergeFacts = openObject({
  count: described(whole(1), 'Shards of the whole run.'),
  missing: described(shards, 'Those that no report is of, in order.'),
  fuzz: openObject({
    wanted: described(whole(0), 'Requests of fuzzing of the whole run.'),
    missing: described(whole(0), 'Those that fell to shards that are missing.'),
    sent: described(whole(0), 'Those that were sent, by the logs that are there.'),
  }),
  shards: list(
    openObject({
      index: whole(1),
      outcome: codec.oneOf(['conforms', 'failed', 'inconclusive']),
      plan: codec.orUndefined(text),
      tag: text,
      requests: whole(0),
      from: described(
        whole(0),
        'Its exchanges are those of the merged report from here on, as many as `requests`.',
      ),
      endedEarly: codec.orUndefined(text),
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
  /** Open questions at which shards saw different choices. */
  disagreements: list(
    openObject({
      question: text,
      choices: list(openObject({ choice: codec.orUndefined(text), shards })),
    }),
  ),
});

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
  const list =
    words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  return `${indexes.length === 1 ? 'shard' : 'shards'} ${list}`;
}
