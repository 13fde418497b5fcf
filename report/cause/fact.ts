import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';

const { described, list, oneOf, openObject, optional, text, variants, whole } = codec;

/** What explains a cause. `requirement`: nothing beyond the failed requirement. */
export const causeKind = oneOf([
  'constant-status',
  'crash',
  'foreign-response',
  'missing-header',
  'fixed-response',
  'altered-value',
  'unchecked-key',
  'wrong-status',
  'body',
  'requirement',
  // Only in reports of earlier versions.
  'constant-response',
  'unheld-limit',
  'quota-header',
  'wrong-items',
  'refused-request',
]);

export type CauseKind = TypeOf<typeof causeKind>;

/** The outcome. `served`: a status below 300. */
export const outcome = variants({
  status: { status: whole(100, 999) },
  'no-response': { reason: text },
  served: {},
});

export type CauseOutcome = TypeOf<typeof outcome>;

/** A cause as facts that the log confirms. */
export const causeFact = openObject({
  operations: described(list(text), 'The operations whose exchanges are counted; empty for all.'),
  among: optional(
    described(text, 'Which of those are counted, such as `valid requests`. Left out for all.'),
  ),
  condition: optional(
    described(text, 'What sets the requests apart, in words that follow them: `without a key`.'),
  ),
  outcome: optional(
    described(outcome, 'What came back. Left out where the exchanges have failures in common.'),
  ),
  of: described(whole(0), 'Counted exchanges for which the condition holds.'),
  others: described(whole(0), 'The other counted ones; none without a condition.'),
  elsewhere: described(whole(0), 'Those of the others that show the same.'),
  /** What becomes of a value, with one exchange that shows it. */
  alteration: optional(
    openObject({
      members: list(text),
      words: text,
      exchange: whole(0),
      sent: described(
        optional(text),
        'As JSON; a long text is cut, and ends in `…`. Left out for none.',
      ),
      shown: optional(text),
    }),
  ),
});

export type CauseFact = TypeOf<typeof causeFact>;
