import type { Codec } from '../../contract/json/codec.ts';
import { findDuplicateMember, JsonSyntaxError } from '../../contract/json/scan.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { type CertificateFinding, type FindingKind, breaks, unclear } from './finding.ts';

/** The value that was read, or the finding that says why there is none. */
export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'refused'; readonly finding: CertificateFinding };

export function readAs<Value>(value: Value): Read<Value> {
  return { kind: 'read', value };
}

export function refuse(finding: CertificateFinding): Read<never> {
  return { kind: 'refused', finding };
}

/** Reads the bytes of JSON in UTF-8, in which no object has a member twice. */
export function readJson(bytes: Uint8Array, where: 'file' | 'payload'): Read<JsonValue> {
  const text = decodeUtf8(bytes);
  // A file of another kind is not a broken certificate: all commands give up on it alike.
  const refusal = where === 'file' ? unclear : breaks;
  if (text === undefined) return refuse(refusal('json', where, `The ${where} is not UTF-8.`));
  try {
    const { values, names } = certificateLimits;
    const value = parseJson(text, values, names);
    const twice = findDuplicateMember(text);
    const sentence = `An object has the member ${JSON.stringify(twice)} twice: readers may disagree about its value.`;
    return twice === undefined ? readAs(value) : refuse(breaks('json', where, sentence));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refuse(
      error.kind === 'limit'
        ? unclear('size', where, `The ${where} is too large: ${error.message}.`)
        : refusal('json', where, `The ${where} is not JSON: ${error.message}.`),
    );
  }
}

/** Reads a value of a shape; `sentence` begins what is said of another one. */
export function readShape<Value>(
  shape: Codec<Value>,
  value: JsonValue,
  kind: FindingKind,
  sentence: string,
): Read<Value> {
  try {
    return readAs(shape.read(value, ''));
  } catch (error) {
    if (!hasCode(error, 'shape')) throw error;
    return refuse(breaks(kind, error.place ?? '', `${sentence}: ${error.message}.`));
  }
}

/** Undefined for other bytes. A byte order mark stays, and is not JSON. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
