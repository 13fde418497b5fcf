import type { Codec } from '../../contract/json/codec.ts';
import { findDuplicateMember, JsonSyntaxError } from '../../contract/json/scan.ts';
import { hasCode } from '../../contract/error/petstore-error.ts';
import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { breaks, type FindingKind, Refusal, unclear } from './finding.ts';

/** Parses JSON in UTF-8. Duplicate members are an error. Throws `Refusal`. */
export function readJson(bytes: Uint8Array, where: 'file' | 'payload'): JsonValue {
  // An unrelated file is not an invalid certificate: it is rejected as by all commands.
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

/** Reads a value with a codec; `sentence` is the beginning of the message. Throws `Refusal`. */
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

/** Undefined for invalid UTF-8. Keeps a byte order mark, which is not valid JSON. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
