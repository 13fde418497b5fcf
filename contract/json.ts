/**
 * JSON values as this project holds them: what `JSON.parse` gives, with `bigint` for every integer that a
 * double cannot hold exactly, so that int64 survives from wire to wire (RFC 8259 section 6 sets no range).
 * Canonical: an integer within ±(2^53 − 1) is always a `number`, any other always a `bigint`.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Made by parsing, so `__proto__` is an ordinary own member. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}
