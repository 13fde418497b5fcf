import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { credentialUse } from '../../conformance/index.ts';

const { described, list, object, oneOf, optional, text, variants, whole } = codec;

/** What can be said of an exchange by its request, or by the status of its response. */
export const condition = variants({
  /** The request has to be answered so. */
  due: { status: whole(100, 999) },
  /** How the request breaks the contract. */
  way: { way: text },
  /** What it carries in the place of its key is one of these. */
  credential: { uses: list(credentialUse) },
  /** A header that only few requests have. */
  header: { name: text, value: text },
  'no-body': {},
  'not-json': {},
  /** The body as a whole, where it is not an object. */
  body: { value: text },
  'not-object': {},
  /** A member of the body; `value` is a class of values. */
  member: { name: text, value: text },
  'member-is': { name: text, text },
  /** It breaks its schema. */
  'member-invalid': { name: text },
  /** A member that the document does not have; without a name any. */
  'further-member': { name: optional(text) },
  'only-members': { names: list(text) },
  query: { name: text, value: text },
  'query-is': { name: text, text },
  'query-has': { name: text },
  /** The last part of the path. */
  path: { value: text },
  'same-time': {},
  /** Sent with no requests remaining. */
  beyond: {},
  /** The response has a header. */
  'has-header': { name: text },
  /** Sent after this exchange. */
  after: { exchange: whole(0) },
  /** The response: `any` is one below 500; `errors`, `successes`; or one status. */
  answered: { with: text },
});

export type Condition = TypeOf<typeof condition>;

/** What came back: what the exchanges of a cause have in common. */
export const outcome = variants({
  status: { status: whole(100, 999) },
  'no-response': { reason: text },
  /** A status below 300. */
  served: {},
  /** None of these is there. */
  'lacks-headers': { names: list(text) },
  /** Status and body are those of another exchange. */
  'same-response': { as: whole(0) },
  /** A refusal that is not of the error shape and has none of the headers of the rate limit. */
  foreign: { mediaType: text, server: text },
  /** A failure of one of these requirements was found in it. */
  fails: { requirements: list(text) },
});

export type CauseOutcome = TypeOf<typeof outcome>;

/** The form of a body, as the first of the exchanges has it. */
export const form = variants({
  none: {},
  object: { members: list(text) },
  json: {},
  page: { title: text },
  text: { mediaType: text },
});

export type Form = TypeOf<typeof form>;

/** What explains a cause, the deepest first. `requirement`: nothing but the requirement does. */
export const causeKinds = [
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
  'wrong-type',
  'refused-request',
  'body',
  'requirement',
] as const;

export type CauseKind = (typeof causeKinds)[number];

/**
 * What a cause says, as facts that the log confirms. Its scope are the exchanges of `operations`, of
 * any where that is empty, for which all of `among` hold. The cause counts those of the scope that have the outcome and for which
 * `condition` holds, where there is one.
 */
export const causeFact = object({
  kind: oneOf(causeKinds),
  operations: list(text),
  among: list(condition),
  condition: optional(condition),
  outcome,
  of: described(whole(0), 'Exchanges of the scope for which the condition holds.'),
  others: described(
    whole(0),
    'The others of the scope, and those of them that have the outcome as well.',
  ),
  elsewhere: whole(0),
  form: optional(form),
  /** What becomes of a value, with one exchange that shows it. */
  alteration: optional(
    object({
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
  expected: described(
    optional(text),
    'What was expected and what came, of the failure that shows it best; or a value.',
  ),
  received: optional(text),
});

export type CauseFact = TypeOf<typeof causeFact>;
