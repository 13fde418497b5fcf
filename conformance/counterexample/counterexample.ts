import * as codec from '../../contract/json/codec.ts';
import { defined } from '../../contract/list/defined.ts';
import { type JsonObject, objectOf, parseJson, type JsonValue } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { credentialUse, intent, type Exchange, type SentRequest } from '../transport/exchange.ts';
import { readTrace } from '../family/read-trace.ts';
import { idOf, isWithin, itemOf, resourceNamedBy, pathValuesOf } from '../judge/trace/trace.ts';
import { operationOf } from '../transport/target.ts';
import {
  renderParameterHeaders,
  renderTarget,
  plainHeaders,
  idempotencyNames,
  waiversHeader,
} from '../transport/request-parts.ts';
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { hasCode, PetstoreError } from '../../contract/error/petstore-error.ts';

const { list, map, object, oneOf, optional, text, whole } = codec;

/** Most steps and positions, so that a verifier can plan them quickly. */
const position = whole(0, 1_000_000);

/** Refers to the identifier of an item in the response to an earlier step. */
export type ItemReference = TypeOf<typeof itemReference>;

const itemReference = object({
  /** Position of that step. */
  step: position,
  /** Position in the list; left out if the response has a single item. */
  item: optional(position),
});

const pathValue: codec.Codec<string | ItemReference> = {
  read: (value, at) => (typeof value === 'string' ? value : itemReference.read(value, at)),
  render: (value) => (typeof value === 'string' ? value : itemReference.render(value)),
};

/** One request of a counterexample. */
export type CounterexampleStep = TypeOf<typeof counterexampleStep>;

const counterexampleStep = object({
  operation: text,
  intent,
  path: optional(map(pathValue)),
  query: optional(map(text)),
  body: optional(text),
  /** The same as in a sent request. */
  encoding: optional(oneOf(['latin1'])),
  /** Left out if it is that of the operation. */
  method: optional(text),
  /** The target, if not the operation's path. */
  target: optional(text),
  /** Headers that the operation's requests do not usually have. */
  headers: optional(map(text)),
  /** Default `valid`. */
  credential: optional(credentialUse),
  /** Steps of the same group are sent at the same time. */
  group: optional(text),
});

/**
 * The requests that show a failure, without base URL, key or response, so that any server can get
 * them.
 */
export type Counterexample = TypeOf<typeof counterexample>;

export const counterexample = object({
  /** Id of the requirement that fails. */
  requirement: text,
  /** Name of the plan that the key had; left out if unknown. */
  plan: optional(text),
  /** The tag in the texts of the run that found it; a replay replaces it by its own. */
  tag: text,
  steps: list(counterexampleStep),
});

/**
 * Creates a counterexample from exchanges. Identifiers from earlier responses become references.
 */
export function createCounterexample(
  contract: Contract,
  requirement: string,
  exchanges: readonly Exchange[],
  tag: string,
  plan: string | undefined,
): Counterexample {
  const sorted = exchanges.toSorted((a, b) => a.index - b.index);
  const steps = sorted.map((exchange, index) =>
    createStep(contract, exchange, sorted.slice(0, index)),
  );
  return defined({ requirement, plan, tag, steps });
}

function createStep(
  contract: Contract,
  { intent: wanted, request, group }: Exchange,
  earlier: readonly Exchange[],
): CounterexampleStep {
  const operation = operationOf(contract, request.operation);
  const values = operation !== undefined ? pathValuesOf(operation, request.target) : {};
  const path = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (operation && findItem(contract, operation, name, values, earlier)) ?? value,
    ]),
  );
  const query = Object.fromEntries(new URLSearchParams(request.target.split('?')[1] ?? ''));
  const isPlain =
    operation !== undefined &&
    isWithin(operation, request) &&
    renderTarget(operation, { path: values, query }) === request.target;
  return defined({
    operation: request.operation,
    intent: wanted,
    path: unlessEmpty(path),
    query: unlessEmpty(query),
    target: isPlain ? undefined : request.target,
    method: operation && operation.method !== request.method ? request.method : undefined,
    headers: unlessEmpty(Object.fromEntries(listOddHeaders(operation, request))),
    encoding: request.encoding,
    body: request.body,
    credential: request.credential === 'valid' ? undefined : request.credential,
    group,
  });
}

function unlessEmpty<Value>(members: Record<string, Value>): Record<string, Value> | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

/**
 * Headers that a plain request of the operation would not have, or would have with other values.
 */
function listOddHeaders(
  operation: Operation | undefined,
  { headers, body }: SentRequest,
): readonly (readonly [string, string])[] {
  const plain: ReadonlyMap<string, string> = new Map(
    operation === undefined
      ? []
      : Object.entries({
          ...plainHeaders(operation, body !== undefined),
          ...renderParameterHeaders(operation, {}),
        }),
  );
  const odd = headers.filter(
    ([name, value]) =>
      plain.get(name) !== value && name !== waiversHeader && !idempotencyNames.test(name),
  );
  const missing = [...plain.keys()].filter((name) => !headers.some(([each]) => each === name));
  return [...odd, ...missing.map((name) => [name, ''] as const)];
}

function findItem(
  contract: Contract,
  operation: Operation,
  parameter: string,
  values: Readonly<Record<string, string>>,
  earlier: readonly Exchange[],
): ItemReference | undefined {
  const resource = resourceNamedBy(contract, operation, parameter);
  if (resource === undefined) return undefined;
  const { [parameter]: id } = values;
  // Nested items may be numbered separately in each parent.
  const scopeOf = (all: Readonly<Record<string, string>>): string =>
    Object.values(all).slice(0, resource.parents.length).join('\n');
  for (const [step, exchange] of earlier.entries()) {
    const by = operationOf(contract, exchange.request.operation);
    const around = by === undefined ? {} : pathValuesOf(by, exchange.request.target);
    if (scopeOf(around) !== scopeOf(values)) continue;
    const item = answeredItems(contract, exchange, resource).findIndex(
      (each) => idOf(each, resource) === id,
    );
    if (item >= 0) return isList(exchange, resource) ? { step, item } : { step };
  }
  return undefined;
}

function isList({ request }: Exchange, resource: Resource): boolean {
  return request.operation === resource.list.id;
}

/**
 * The items of a resource in a response, one or a list. Malformed ones are empty objects, so that
 * positions stay the same.
 */
export function answeredItems(
  contract: Contract,
  exchange: Exchange,
  resource: Resource,
): readonly JsonObject[] {
  const [reading] = readTrace(contract, [exchange]).readings;
  const { list, create, get, replace, update } = resource;
  const belongs = [list, create, get, replace, update].some(
    (operation) => operation?.id === exchange.request.operation,
  );
  if (reading === undefined || !belongs) return [];
  if (isList(exchange, resource)) return (reading.listed ?? []).map(objectOf);
  return [itemOf(reading) ?? []].flat();
}

/** Begins every id, so that a later format can be recognised. */
const prefix = 'r1-';

/** Most bytes that an id may decompress to. */
const largest = 2_000_000;

/** Renders a whole counterexample as one word of letters, digits, `-` and `_`. */
export function renderReplayId(requests: Counterexample): string {
  return prefix + deflateRawSync(Buffer.from(JSON.stringify(requests))).toString('base64url');
}

/** Eight characters that identify a replay id among many. */
export function shortenReplayId(id: string): string {
  return hash('sha256', id).slice(0, 8);
}

/**
 * Parses a replay id.
 * @throws {PetstoreError} with code `replay` for an invalid one
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

/** A counterexample that can be sent again. A used-up limit and the requests of a client cannot. */
const sendable = codec.refine(
  counterexample,
  ({ steps }) =>
    steps.length > 0 &&
    steps.every(({ intent }) => intent.kind !== 'beyond' && intent.kind !== 'client'),
  'one or more requests that can be sent again',
);
