import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import type { Reading, Symptom } from './reading.ts';

const { described, list, oneOf, openObject, optional, text, variants, whole } = codec;

/** What explains a cause. `requirement`: nothing but the requirement does. */
export const causeKind = oneOf([
  'constant-response',
  'constant-status',
  'crash',
  'foreign-response',
  'missing-header',
  'unheld-limit',
  'quota-header',
  'fixed-response',
  'altered-value',
  'wrong-items',
  'unchecked-key',
  'wrong-status',
  'refused-request',
  'body',
  'requirement',
]);

/** What came back: `served` is a status below 300. */
export const outcome = variants({
  status: { status: whole(100, 999) },
  'no-response': { reason: text },
  served: {},
});

export type CauseOutcome = TypeOf<typeof outcome>;

/** What a cause says, as facts that the log confirms. */
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

/** Which exchanges are counted, in words around their noun: `valid requests`. */
export interface Scope {
  readonly noun: 'request' | 'response';
  readonly before?: string;
  readonly after?: string;
  readonly holds: (reading: Reading) => boolean;
}

export interface Count extends Pick<CauseFact, 'operations' | 'of' | 'others' | 'elsewhere'> {
  /** Of those for which the condition holds. */
  readonly seen: number;
}

/** Symptoms with one cause, and what is said of them; the log says how often. */
export interface Claim extends Partial<
  Pick<CauseFact, 'operations' | 'condition' | 'outcome' | 'alteration'>
> {
  readonly kind: TypeOf<typeof causeKind>;
  /** None is in another claim. */
  readonly symptoms: readonly Symptom[];
  /** In plain English. May quote the target. */
  readonly sentence: (count: Count) => string;
  readonly among?: Scope | undefined;
  /** Whether the condition holds. Default: the request has it. */
  readonly meets?: ((reading: Reading) => boolean) | undefined;
  /** What the exchanges have in common. Default: the outcome; without one, a failure of the same requirements. */
  readonly isSeen?: ((reading: Reading) => boolean) | undefined;
  /** The symptom whose requirement carries the cause; by default the first as reports order them. */
  readonly leads?: ((symptom: Symptom) => boolean) | undefined;
}
