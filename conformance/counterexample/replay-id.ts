import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as codec from '../../contract/json/codec.ts';
import { hasCode, PetstoreError } from '../../contract/error/petstore-error.ts';
import { parseJson, type JsonValue } from '../../contract/json/value.ts';
import { counterexample, type Counterexample } from './counterexample.ts';

/** Begins every id, so that a later format can be recognised. */
const prefix = 'r1-';

/** Most bytes that an id may unfold to. */
const largest = 2_000_000;

/** Renders a counterexample as one word of letters, digits, `-` and `_` that holds all of it. */
export function renderReplayId(requests: Counterexample): string {
  return prefix + deflateRawSync(Buffer.from(JSON.stringify(requests))).toString('base64url');
}

/** Eight characters for a replay id, by which it is found where many are kept. */
export function shortenReplayId(id: string): string {
  return hash('sha256', id).slice(0, 8);
}

/**
 * Parses a replay id.
 * @throws {PetstoreError} with code `replay` for a text that is none
 */
export function parseReplayId(id: string): Counterexample {
  if (!id.startsWith(prefix))
    throw refusal(
      `A replay id starts with ${prefix}, but this one starts with "${id.slice(0, 20)}".`,
    );
  if (!/^[\w-]+$/.test(id))
    throw refusal('The replay id contains invalid characters. Was it copied completely?');
  try {
    const bytes = Buffer.from(id.slice(prefix.length), 'base64url');
    const text = inflateRawSync(bytes, { maxOutputLength: largest }).toString();
    return readCounterexample(parseJson(text));
  } catch (error) {
    if (hasCode(error, 'replay')) throw error;
    throw refusal('The replay id is damaged. Was it copied completely?', error);
  }
}

/**
 * Reads a counterexample from JSON, strictly.
 * @throws {PetstoreError} with code `replay` for any other value
 */
export function readCounterexample(value: JsonValue): Counterexample {
  try {
    return sendable.read(value, '');
  } catch (error) {
    if (!hasCode(error, 'shape')) throw error;
    throw refusal(`In the counterexample, ${error.message}.`, error);
  }
}

function refusal(reason: string, cause?: unknown): PetstoreError {
  return new PetstoreError('replay', reason, { cause });
}

/** What can be sent again by itself: a full limit and the requests of a client cannot. */
const sendable = codec.refine(
  counterexample,
  ({ steps }) =>
    steps.length > 0 &&
    steps.every(({ intent }) => intent.kind !== 'beyond' && intent.kind !== 'client'),
  'one or more requests that can be sent again',
);
