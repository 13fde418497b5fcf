import * as fc from 'fast-check';
import { type JsonObject, renderJson, type JsonValue } from '../../contract/json/value.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { plainBody, readTemplate, tagBody } from '../generate/valid-body.ts';
import { itemResourceOf, renderPlain, resourceOf } from '../judge/trace/trace.ts';
import { statusOf, validIntent, type Exchange, type Intent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { ownBody } from './general.ts';
import type { Run } from './probe.ts';

/** A request, valid with the right key: for a GET the last one served, which caches know. */
export function validRequest(operation: Operation, run: Run): Omit<Request, 'intent'> {
  const served =
    operation.method === 'GET'
      ? run.session.exchanges.findLast((exchange) => isServed(exchange, operation))
      : undefined;
  if (served !== undefined) return { operation, target: served.request.target };
  const resource = resourceOf(run.contract, operation) ?? itemResourceOf(run.contract, operation);
  if (resource === undefined) return harmlessRequest(operation, run);
  const template = readTemplate(run.contract, operation);
  const references = run.known.references(resource);
  const path = pathValues(operation, run);
  if (template === undefined) return { operation, path, ...ownBody(operation) };
  const body = tagBody(template, plainBody(template), run.nextTag(), references);
  return { operation, path, body: renderJson(body) };
}

/** A request by the operation's own description; to write, to what nobody has if need be. */
function harmlessRequest(operation: Operation, run: Run): Omit<Request, 'intent'> {
  const { path, isOwn } = run.paths.choose(operation);
  const last = operation.parameters.findLast((parameter) => parameter.in === 'path');
  const isHarmless = isOwn || run.disposable || !writes(operation) || last === undefined;
  return {
    operation,
    path: isHarmless ? path : { ...path, [last.name]: absentId(last, run, [], true) },
    ...ownBody(operation),
  };
}

function isServed(exchange: Exchange, { id }: Operation): boolean {
  const { request, intent } = exchange;
  return request.operation === id && intent.kind === 'valid' && statusOf(exchange) === 200;
}

/** The path of an item. */
export function itemPath({ idParameter }: Resource, id: string): Readonly<Record<string, string>> {
  return { [idParameter?.name ?? 'id']: id };
}

/** A request for a single item. */
export function itemRequest(
  operation: Operation,
  resource: Resource,
  id: string,
  intent: Intent,
): Request {
  return { operation, path: itemPath(resource, id), intent };
}

/** A read of an item that has to be there; undefined where the document has no operation for it. */
export function readRequest(
  resource: Resource,
  id: string,
  exercises?: readonly string[],
): Request | undefined {
  const { get, idParameter } = resource;
  if (get === undefined || idParameter === undefined) return undefined;
  const intent = validIntent(exercises ?? [requirementId.state(get.id, 'readable')]);
  return itemRequest(get, resource, id, intent);
}

/** Reads an item, where the document has an operation for it. */
export async function readBack(
  { session }: Run,
  resource: Resource,
  id: string,
  exercises?: readonly string[],
): Promise<void> {
  const request = readRequest(resource, id, exercises);
  if (request !== undefined) await session.send(request);
}

/**
 * Values of the path's parameters. To write: an item of the run's own, else an identifier that nothing
 * has, so that others' items stay as they are. To read: an item known to exist, else an example or 1.
 */
function pathValues(operation: Operation, run: Run): Readonly<Record<string, string>> {
  const resource = itemResourceOf(run.contract, operation);
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { name, examples } = parameter;
      const isItem = name === resource?.idParameter?.name;
      if (writes(operation)) {
        const own = isItem && resource !== undefined ? run.known.own(resource, 'stay') : undefined;
        return [name, own ?? absentId(parameter, run, [], true)];
      }
      const known = isItem && resource !== undefined ? knownId(resource, run) : undefined;
      return [name, known ?? renderPlain(examples[0]?.value ?? 1)];
    }),
  );
}

function knownId(resource: Resource, { known }: Run): string | undefined {
  return [...known.added(resource).keys(), ...known.listed(resource).keys()][0];
}

/**
 * A valid identifier that no item has, as far as is seen, and that no run before this one asked for:
 * within 32 bits, or as far as can be.
 */
export function absentId(
  parameter: Parameter | undefined,
  { random, tag }: Run,
  seen: readonly string[],
  far: boolean,
): string {
  const node = parameter?.schema;
  const { types, format } = node?.shape() ?? { types: ['string'], format: undefined };
  const integer = types.some((type) => type === 'integer');
  const most = format === 'int64' ? 2n ** 62n : 2n ** 31n - 1n;
  const numbers = fc
    .bigInt(far ? { min: most / 2n, max: most } : { min: 1_000_000n, max: 2_000_000n })
    .map(String);
  const texts: fc.Arbitrary<JsonValue> = node !== undefined ? arbitraryOf(node) : fc.uuid();
  const candidates = integer
    ? random.sample(numbers, 20, `absent ${far} ${tag}`)
    : random
        .sample(texts, 50, `absent ${far} ${tag}`)
        .map(renderPlain)
        .filter((id) => /^[\w-]{3,}$/.test(id));
  return candidates.find((id) => !seen.includes(id)) ?? 'none';
}

/** A valid tagged body for a create operation. */
export function validBody(create: Operation, resource: Resource, run: Run): JsonObject {
  const template = readTemplate(run.contract, create);
  if (template === undefined) return {};
  const plain = plainBody(template);
  return tagBody(template, plain, run.nextTag(), run.known.references(resource));
}
