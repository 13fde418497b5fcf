import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../contract/index.ts';
import type { Counterexample, CounterexampleStep, ItemReference } from './counterexample.ts';
import type { CredentialUse, Intent } from '../transport/exchange.ts';

/**
 * A replay id, or a file of a saved counterexample, that cannot be read; the message says why in one
 * line.
 */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/** Begins every id, so that a later form can be told from this one. */
const prefix = 'r1-';

/** Most bytes that an id may unfold to. */
const largest = 2_000_000;

/** Renders a counterexample as one word of letters, digits, `-` and `_` that holds all of it. */
export function renderReplayId(counterexample: Counterexample): string {
  return prefix + deflateRawSync(Buffer.from(JSON.stringify(counterexample))).toString('base64url');
}

/**
 * Parses a replay id.
 * @throws {ReplayError} for a text that is none
 */
export function parseReplayId(id: string): Counterexample {
  if (!id.startsWith(prefix))
    throw new ReplayError(`A replay id begins with ${prefix}, unlike "${id.slice(0, 20)}".`);
  if (!/^[\w-]+$/.test(id))
    throw new ReplayError('The replay id holds characters that none has: was it copied whole?');
  try {
    return readCounterexample(
      parseJson(
        inflateRawSync(Buffer.from(id.slice(prefix.length), 'base64url'), {
          maxOutputLength: largest,
        }).toString(),
      ),
    );
  } catch (error) {
    if (error instanceof ReplayError) throw error;
    throw new ReplayError('The replay id is damaged: was it copied whole?', { cause: error });
  }
}

/**
 * Reads a counterexample from JSON.
 * @throws {ReplayError} for any other value
 */
export function readCounterexample(value: JsonValue): Counterexample {
  const object = readObject(value, 'the counterexample');
  const { requirement, plan, tag, steps } = object;
  if (!Array.isArray(steps) || steps.length === 0)
    throw new ReplayError('The counterexample has no steps.');
  return {
    requirement: readText(requirement, 'requirement'),
    ...(plan === undefined ? {} : { plan: readText(plan, 'plan') }),
    tag: readText(tag, 'tag'),
    steps: steps.map((step: JsonValue) => readStep(step)),
  };
}

function readStep(value: JsonValue): CounterexampleStep {
  const { operation, intent, path, query, body, credential, group } = readObject(value, 'a step');
  return {
    operation: readText(operation, 'operation'),
    intent: readIntent(intent),
    ...(path === undefined ? {} : { path: mapMembers(path, 'path', readPathValue) }),
    ...(query === undefined
      ? {}
      : { query: mapMembers(query, 'query', (each) => readText(each, 'query')) }),
    ...(body === undefined ? {} : { body: readText(body, 'body') }),
    ...(credential === undefined ? {} : { credential: readCredential(credential) }),
    ...(group === undefined ? {} : { group: readText(group, 'group') }),
  };
}

function readIntent(value: JsonValue | undefined): Intent {
  const intent = readObject(value, 'intent');
  switch (readText(intent['kind'], 'kind')) {
    case 'valid':
      return {
        kind: 'valid',
        exercises: readTexts(intent['exercises'], 'exercises'),
        mayRefuse: readTexts(intent['mayRefuse'], 'mayRefuse'),
      };
    case 'invalid':
      return {
        kind: 'invalid',
        requirement: readText(intent['requirement'], 'requirement'),
        way: readText(intent['way'], 'way'),
        status: readWhole(intent['status'], 'status'),
      };
    case 'absent':
      return {
        kind: 'absent',
        requirement: readText(intent['requirement'], 'requirement'),
        id: readText(intent['id'], 'id'),
      };
    case 'open':
      return {
        kind: 'open',
        question: readText(intent['question'], 'question'),
        way: readText(intent['way'], 'way'),
      };
    default:
      throw new ReplayError('The counterexample has a step of an unknown intent.');
  }
}

const credentials: readonly CredentialUse[] = [
  'valid',
  'missing',
  'invalid',
  'other-scheme',
  'cut',
  'longer',
  'other-case',
];

function readCredential(value: JsonValue): CredentialUse {
  const found = credentials.find((each) => each === value);
  if (found === undefined)
    throw new ReplayError('The counterexample has a step with an unknown credential.');
  return found;
}

function readPathValue(value: JsonValue): string | ItemReference {
  if (typeof value === 'string') return value;
  const { step, item } = readObject(value, 'path');
  return {
    step: readWhole(step, 'step'),
    ...(item === undefined ? {} : { item: readWhole(item, 'item') }),
  };
}

function mapMembers<T>(
  value: JsonValue,
  name: string,
  read: (member: JsonValue) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(readObject(value, name)).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, read(member)]],
    ),
  );
}

function readObject(value: JsonValue | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new ReplayError(`In the counterexample, ${name} is no object.`);
}

function readText(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw new ReplayError(`In the counterexample, ${name} is no text.`);
}

function readTexts(value: JsonValue | undefined, name: string): readonly string[] {
  if (!Array.isArray(value)) throw new ReplayError(`In the counterexample, ${name} is no list.`);
  return value.map((each: JsonValue) => readText(each, name));
}

function readWhole(value: JsonValue | undefined, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new ReplayError(`In the counterexample, ${name} is no whole number.`);
}
