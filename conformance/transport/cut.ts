import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJudged,
  renderJson,
} from '../../contract/json/value.ts';

/** Replaces a key in a log. Responses in a log never contain it for another reason. */
export const redactedKey = '[redacted]';

/**
 * Puts a mark at each place where the key was cut, so that texts can be compared: two marks are
 * equal only for the same position and `place`.
 */
export function markCuts(body: string, place: string): string {
  if (!body.includes(redactedKey)) return body;
  return body.replaceAll(redactedKey, (_key, at: number) => `\u{fdd0}${place}.${at}\u{fdd1}`);
}

/** Whether the key was cut from a text, so that what depends on the text cannot be judged. */
export function isCut(text: string): boolean {
  return text.includes('\u{fdd0}') && cutMarks.test(text);
}

/** Puts `filling` where the key was cut from a text. */
export function fillCuts(text: string, filling: string = redactedKey): string {
  return isCut(text) ? text.replaceAll(new RegExp(cutMarks, 'gu'), () => filling) : text;
}

const cutMarks = /\u{fdd0}\d*\.\d+\u{fdd1}/u;

/** The mark in a header field, without positions. */
export const headerMark = '\u{fdd0}.0\u{fdd1}';

/** Whether the key was cut from a header name, so that any header may have been there. */
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

/** Whether the key was cut from a member name, so that any member may have been there. */
export function hasCutMember(value: JsonObject): boolean {
  return Object.keys(value).some(isCut);
}

/** Whether the key was cut from the name of any member in a value. */
export function holdsCutMember(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(holdsCutMember);
  return isJsonObject(value) && (hasCutMember(value) || Object.values(value).some(holdsCutMember));
}

/**
 * Yields the value with various texts in place of the key, which may have any length and
 * characters.
 */
export function* fillValue(value: JsonValue): Generator<JsonValue> {
  const text = renderJson(value);
  // None of the fillings has a character that JSON escapes.
  for (const filling of fillings) yield parseJudged(fillCuts(text, filling));
}

/** The same for a text. */
export function fillText(text: string): readonly string[] {
  return fillings.map((filling) => fillCuts(text, filling));
}

const fillings = ['', '0', 'key', 'a B', 'x'.repeat(10_000), redactedKey];

/** Drops the parts from which the key was cut, so that they are neither sent nor compared. */
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
