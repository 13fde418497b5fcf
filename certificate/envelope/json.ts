import type { Codec } from '../../contract/json/codec.ts';
import { findDuplicateMember, JsonSyntaxError } from '../../contract/json/scan.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { breaks, type FindingKind, Refusal, unclear } from './finding.ts';

/** Reads the bytes of JSON in UTF-8, in which no object has a member twice. Throws `Refusal`. */
export function readJson(bytes: Uint8Array, where: 'file' | 'payload'): JsonValue {
  // A file of another kind is not a broken certificate: all commands give up on it alike.
  const refusal = where === 'file' ? unclear : breaks;
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Refusal(refusal('json', where, `The ${where} is not UTF-8.`));
  try {
    const value = parseJson(text, certificateLimits.values, certificateLimits.names);
    const twice = findDuplicateMember(text);
    if (twice === undefined) return value;
    const sentence = `An object has the member ${JSON.stringify(twice)} twice: readers may disagree about its value.`;
    throw new Refusal(breaks('json', where, sentence));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new Refusal(
      error.kind === 'limit'
        ? unclear('size', where, `The ${where} is too large: ${error.message}.`)
        : refusal('json', where, `The ${where} is not JSON: ${error.message}.`),
    );
  }
}

/** Reads a value of a shape; `sentence` begins what is said of another one. Throws `Refusal`. */
export function readShape<Value>(
  shape: Codec<Value>,
  value: JsonValue,
  kind: FindingKind,
  sentence: string,
  root = '',
): Value {
  try {
    return shape.read(value, '');
  } catch (error) {
    if (!hasCode(error, 'shape')) throw error;
    const place = `${root}${error.place ?? ''}`;
    throw new Refusal(breaks(kind, place, `${sentence}: ${error.message}.`));
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
