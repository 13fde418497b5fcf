import { jsonEquals, renderJson, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { type Exchange, intent as intentCodec, sentRequest } from './exchange.ts';

/** What is said of an exchange before it is sent. */
type Drafted = Pick<Exchange, 'probe' | 'intent' | 'request' | 'group'>;

/** An exchange before it is sent. */
export interface Draft extends Drafted {
  readonly operation: Operation;
}

/** `limit`: the target's rate limit; `return`: a target that went away, or says by 503 when it is back. */
export type WaitReason = 'limit' | 'return';

/** Whether only chance decides which of the two gets its response first. */
export function isAlike(one: Drafted, other: Drafted): boolean {
  return differenceOf(one, other) === undefined;
}

/** The first member in which an exchange differs from its draft, in words; or undefined. */
export function differenceOf(draft: Drafted, found: Drafted): string | undefined {
  const present = membersOf(found);
  for (const [name, value] of membersOf(draft)) {
    const other = present.get(name) ?? null;
    if (!jsonEquals(value, other)) return describeDifference(name, value, other);
  }
  return undefined;
}

function membersOf({ probe, intent, request, group }: Drafted): ReadonlyMap<string, JsonValue> {
  const { body = null, ...others } = sentRequest.render(request);
  // How an intent is worded may differ between versions.
  const meant = intentCodec.render('way' in intent ? { ...intent, way: '' } : intent);
  const members = { body, ...others, intent: meant, probe, group };
  return new Map(Object.entries(members).map(([name, value]) => [`the ${name}`, value ?? null]));
}

/** Characters that are shown of a value, around its first difference. */
const shown = 60;

function describeDifference(name: string, wanted: JsonValue, found: JsonValue): string {
  const [one, other] = [renderJson(wanted), renderJson(found)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - shown / 2);
  return `${name} is ${cut(other, from)}, where the suite sends ${cut(one, from)}`;
}

function cut(text: string, from: number): string {
  return `${from > 0 ? '…' : ''}${text.slice(from, from + shown).toWellFormed()}${from + shown < text.length ? '…' : ''}`;
}
