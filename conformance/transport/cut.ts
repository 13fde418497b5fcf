import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';

/** What replaces a key in a log. In the responses of a log it is nothing else. */
export const redactedKey = '[redacted]';

/**
 * The body with a mark at each place from which the key was cut, for those who compare texts: no two
 * marks are equal, but for those of the same position and `place`.
 */
export function markCuts(body: string, place: string): string {
  return body.replaceAll(redactedKey, (_key, at: number) => `\u{fdd0}${place}.${at}\u{fdd1}`);
}

/** Whether the key was cut from a text: what depends on the text cannot be judged. */
export function isCut(text: string): boolean {
  return text.includes('\u{fdd0}') && cutMarks.test(text);
}

/** A text with `filling` at the places from which the key was cut. */
export function fillCuts(text: string, filling: string = redactedKey): string {
  return isCut(text) ? text.replaceAll(new RegExp(cutMarks, 'gu'), () => filling) : text;
}

const cutMarks = /\u{fdd0}\d*\.\d+\u{fdd1}/u;

/** The mark in a header field, without positions. */
export const headerMark = '\u{fdd0}.0\u{fdd1}';

/** Whether the key was cut from the name of a header field: any header may have been there. */
export function hasCutName({
  headers,
}: {
  readonly headers: readonly (readonly [name: string, value: string])[];
}): boolean {
  return headers.some(([name]) => name.includes(redactedKey));
}

/** Whether the key was cut from any text in a value, or from the name of any member. */
export function holdsCut(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return isCut(value);
  if (isJsonArray(value)) return value.some(holdsCut);
  return isJsonObject(value) && (hasCutMember(value) || Object.values(value).some(holdsCut));
}

/** Whether the key was cut from the name of a member: any member may have been there. */
export function hasCutMember(value: JsonObject): boolean {
  return Object.keys(value).some(isCut);
}

/** Whether the key was cut from the name of any member in a value. */
export function holdsCutMember(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(holdsCutMember);
  return isJsonObject(value) && (hasCutMember(value) || Object.values(value).some(holdsCutMember));
}

/** The value with other texts in the places of the key, which had any length and characters. */
export function* fillValue(value: JsonValue): Generator<JsonValue> {
  for (const filling of fillings) yield fill(value, filling);
}

/** The same of a text. */
export function fillText(text: string): readonly string[] {
  return fillings.map((filling) => fillCuts(text, filling));
}

const fillings = ['', '0', 'key', 'a B', 'x'.repeat(10_000), redactedKey];

function fill(value: JsonValue, filling: string): JsonValue {
  if (typeof value === 'string') return fillCuts(value, filling);
  if (isJsonArray(value)) return value.map((item) => fill(item, filling));
  if (!isJsonObject(value)) return value;
  const filled = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[fillCuts(name, filling), fill(member, filling)] as const],
  );
  return Object.fromEntries(filled);
}

/** The value without what the key was cut from: nothing that is left is sent or compared wrongly. */
export function dropCuts(value: JsonValue | undefined): JsonValue | undefined {
  if (!holdsCut(value)) return value;
  if (isJsonArray(value)) return value.flatMap((item) => dropCuts(item) ?? []);
  if (!isJsonObject(value)) return undefined;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const left = isCut(name) ? undefined : dropCuts(member);
    return left === undefined ? [] : [[name, left] as const];
  });
  return Object.fromEntries(kept);
}
