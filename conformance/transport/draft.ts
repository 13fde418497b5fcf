import { jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { type Exchange, intent as intentCodec, sentRequest } from './exchange.ts';

/** An exchange before it is sent. */
export interface Draft extends Pick<Exchange, 'probe' | 'intent' | 'request' | 'group'> {
  readonly operation: Operation;
  /** Milliseconds since the Unix epoch, until which the target takes no such request; or 0. */
  readonly notBefore: number;
  /** What it waits for until then. */
  readonly waitsFor: WaitReason;
}

/** `limit`: the target's rate limit; `return`: a target that went away, or says by 503 when it is back. */
export type WaitReason = 'limit' | 'return';

/** What is compared of drafts and exchanges. */
type Drafted = Pick<Draft, 'probe' | 'intent' | 'request' | 'group'>;

/** Whether only chance decides which of the two gets its response first. */
export function isAlike(one: Drafted, other: Drafted): boolean {
  return differenceOf(one, other) === undefined;
}

/** The first member in which an exchange differs from its draft, in words; or undefined. */
export function differenceOf(draft: Drafted, found: Drafted): string | undefined {
  if (draft.request.body !== found.request.body)
    return tellDifference('the body', draft.request.body ?? null, found.request.body ?? null);
  const [wanted, present] = [listParts(draft), listParts(found)];
  for (const [name, value] of wanted) {
    const other = present.get(name) ?? null;
    if (!jsonEquals(value, other)) return tellDifference(name, value, other);
  }
  return undefined;
}

function listParts({ probe, intent, request, group }: Drafted): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ...Object.entries(sentRequest.render(request)).map(
      ([name, value]) => [`the ${name}`, value ?? null] as const,
    ),
    // How an intent is worded may differ between versions.
    ['the intent', intentCodec.render('way' in intent ? { ...intent, way: '' } : intent)],
    ['the probe', probe],
    ['the group', group ?? null],
  ]);
}

/** Characters that are shown of a value, around its first difference. */
const shown = 60;

function tellDifference(name: string, wanted: JsonValue, found: JsonValue): string {
  const [one, other] = [renderJson(wanted), renderJson(found)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - shown / 2);
  return `${name} is ${cut(other, from)}, where the suite sends ${cut(one, from)}`;
}

function cut(text: string, from: number): string {
  return `${from > 0 ? '…' : ''}${text.slice(from, from + shown).toWellFormed()}${from + shown < text.length ? '…' : ''}`;
}
