import { valueAt } from '../../../contract/json/place.ts';
import type { Contract } from '../../../contract/contract.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';

import { type MediaType, findContent, essence } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { RatePlan } from '../../../contract/openapi/rate-limit.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import {
  type ResponseContract,
  documentedResponse,
  successResponse,
} from '../../../contract/openapi/response.ts';
import { compilePathMatch, withoutQuery } from '../../../contract/openapi/path-pattern.ts';
import type { SchemaJudgement, SchemaNode } from '../../../contract/schema/schema-node.ts';
import { requirementId, type Requirements } from './requirement.ts';
import {
  headerOf,
  type ReceivedResponse,
  type Exchange,
  type SentRequest,
} from '../../transport/exchange.ts';
import { isCut } from '../../transport/cut.ts';
import { readSentBody } from '../../transport/sent-body.ts';
import { writes } from '../../transport/target.ts';
import { once } from '../../../contract/memo/once.ts';
import { blankNames } from '../../transport/path-template.ts';
import { trimEnd } from '../../../contract/http/address.ts';

/** An answered exchange, with everything that the contract says about it. */
export class Reading {
  readonly exchange: Exchange;
  readonly response: ReceivedResponse;
  readonly operation: Operation;
  /** It was sent to the operation's path with its method, or by a client. */
  readonly isDescribed: boolean;
  /** The documented response for its status; undefined if the document does not list the status. */
  readonly documented: ResponseContract | undefined;
  /** The documented media type of the response; undefined if none matches. */
  readonly content: MediaType | undefined;
  readonly json: JsonValue | undefined;
  /** Path of members from the body to its items. */
  readonly place: readonly string[];
  /** The items of a list. For operations without items, the body, if it is an array. */
  readonly listed: readonly JsonValue[] | undefined;
  /**
   * The single item of the response. For operations without items, the body, if it is an object.
   */
  readonly item: JsonObject | undefined;
  /** The request body; undefined if there is none, or it is neither JSON nor a form. */
  readonly body: JsonValue | undefined;
  /**
   * The item in the request body. For operations without items, the body. Members of a form that
   * services may read in several ways are null.
   */
  readonly sent: JsonValue | undefined;
  /** The response has any 2xx or 3xx that the document lists for the operation. */
  readonly succeeded: boolean;
  #judgement: SchemaJudgement | undefined;

  constructor(
    exchange: Exchange,
    response: ReceivedResponse,
    operation: Operation,
    json: JsonValue | undefined,
    place: readonly string[] = [],
    sentPlace: readonly string[] = [],
  ) {
    this.exchange = exchange;
    this.response = response;
    this.operation = operation;
    this.isDescribed = exchange.intent.kind === 'client' || isWithin(operation, exchange.request);
    this.documented = documentedResponse(operation, response.status);
    const contentType = headerOf(response, 'content-type');
    this.content =
      contentType === undefined
        ? undefined
        : findContent(this.documented?.content ?? [], contentType);
    this.json = json;
    const shown = valueAt(json, place);
    this.listed = isJsonArray(shown) ? shown : undefined;
    this.item = isJsonObject(shown) ? shown : undefined;
    this.place = place;
    const { body, clear } = readSentBody(operation, exchange.request);
    this.body = body;
    this.sent = valueAt(clear, sentPlace);
    this.succeeded =
      this.documented !== undefined && response.status >= 200 && response.status < 400;
  }

  /**
   * The judgement of the body by the schema of its media type; undefined if there is no body or
   * schema.
   */
  get judgement(): SchemaJudgement | undefined {
    if (this.#judgement !== undefined || this.json === undefined) return this.#judgement;
    const judgement = this.content?.schema?.judge(this.json);
    // A wrong body may have very many issues, too many to keep for the whole run.
    if (judgement?.isSound === true) this.#judgement = judgement;
    return judgement;
  }

  /** Whether the body is valid and its items have this schema, so that each item matches it. */
  fits(item: SchemaNode): boolean {
    let schema = this.content?.schema;
    for (const name of this.place) schema = schema?.shape().properties.get(name);
    const shown = this.listed === undefined ? schema : schema?.shape().items;
    if (shown === undefined || !item.pointers.every((each) => shown.pointers.includes(each)))
      return false;
    return this.isRight;
  }

  /** Whether the body has a schema and is valid. */
  get isRight(): boolean {
    const { isSound, undecided } = this.judgement ?? {};
    return isSound === true && undecided === undefined;
  }

  get index(): number {
    return this.exchange.index;
  }

  get status(): number {
    return this.response.status;
  }

  get isValid(): boolean {
    return this.exchange.intent.kind === 'valid';
  }

  get isServed(): boolean {
    return this.succeeded && this.isValid;
  }

  get hasKey(): boolean {
    return this.exchange.request.credential === 'valid';
  }

  /** No other request was in progress at the same time. */
  get isAlone(): boolean {
    return this.exchange.group === undefined;
  }
}

/** All exchanges of a run, interpreted once for all judges. */
export class Trace {
  readonly contract: Contract;
  readonly requirements: Requirements;
  /** The plan of the key, as given by the user. */
  readonly plan: RatePlan | undefined;
  /** The user promised that nobody else uses the target. */
  readonly exclusive: boolean;
  readonly exchanges: readonly Exchange[];
  /** The answered exchanges, in order, except refusals for the rate limit. */
  readonly readings: readonly Reading[];
  /** The exchanges that were refused for the rate limit. */
  readonly limited: readonly Reading[];
  /** The answered exchanges with paths and methods that the document does not describe. */
  readonly outside: readonly Reading[];
  readonly #facts: TargetFacts;
  #byOperation: ReadonlyMap<string, readonly Reading[]> | undefined;

  constructor(
    contract: Contract,
    requirements: Requirements,
    exchanges: readonly Exchange[],
    readings: readonly Reading[],
    facts: TargetFacts = {},
  ) {
    const limit = contract.rateLimit?.status ?? 429;
    const described = readings.filter(({ isDescribed }) => isDescribed);
    this.contract = contract;
    this.requirements = requirements;
    this.plan = findPlan(contract, facts.plan);
    this.exclusive = facts.exclusive ?? false;
    this.exchanges = exchanges;
    this.readings = described.filter(({ status }) => status !== limit);
    this.limited = described.filter(({ status }) => status === limit);
    this.outside = readings.filter(({ isDescribed }) => !isDescribed);
    this.#facts = facts;
  }

  of(operation: Operation | undefined): readonly Reading[] {
    this.#byOperation ??= Map.groupBy(this.readings, (reading) => reading.operation.id);
    return operation === undefined ? [] : (this.#byOperation.get(operation.id) ?? []);
  }

  /** A trace with a part of the readings, or with fewer exchanges. */
  only(keep: (reading: Reading) => boolean, exchanges = this.exchanges): Trace {
    const all = [...this.readings, ...this.limited, ...this.outside];
    return new Trace(this.contract, this.requirements, exchanges, all.filter(keep), this.#facts);
  }
}

export interface TargetFacts {
  readonly plan?: string | undefined;
  /** Whether nobody else uses the target. Default false. */
  readonly exclusive?: boolean | undefined;
}

/** The plan with a name, ignoring case; undefined if the contract has none. */
export function findPlan(contract: Contract, name: string | undefined): RatePlan | undefined {
  return contract.rateLimit?.plans.find((plan) => plan.name.toLowerCase() === name?.toLowerCase());
}

/** The media type of a `Content-Type`, lower case, no parameters (RFC 9110 section 8.3.1). */
export function readMediaType(text: string | undefined): string | undefined {
  return text === undefined ? undefined : essence(text);
}

/** The response to a valid request. Cached. */
export const successOf = once((operation: Operation) => successResponse(operation));

export const successId = once((operation: Operation) =>
  requirementId.status(operation.id, successOf(operation)?.status ?? '200'),
);

/** The items of a list response; undefined if the response is not a valid list. */
export function itemsOf(reading: Reading): readonly JsonObject[] | undefined {
  return reading.succeeded ? reading.listed?.filter(isJsonObject) : undefined;
}

/** The single item of a 2xx response; undefined if it has none. */
export function itemOf(reading: Reading): JsonObject | undefined {
  const ok = reading.response.status >= 200 && reading.response.status < 300;
  return ok ? reading.item : undefined;
}

/** The id of an item; undefined if it has none. */
export function idIn(item: JsonValue | undefined, { idPlace }: Resource): JsonValue | undefined {
  return valueAt(item, idPlace);
}

/** The id of an item in the form of a path segment; empty if unknown. */
export function idOf(item: JsonObject, resource: Resource): string {
  const id = idIn(item, resource);
  const text = id === undefined ? '' : renderPlain(id);
  return isCut(text) ? '' : text;
}

/** A value in the form of a query string or a path. */
export function renderPlain(value: JsonValue): string {
  if (typeof value === 'string' || typeof value === 'bigint') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? String(value)
    : renderJson(value);
}

export function queryOf(exchange: Exchange, name: string): string | undefined {
  const query = exchange.request.target.split('?')[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined);
}

/**
 * Whether a write has a query parameter that it need not have, such as `dryRun`, so that its effect
 * is unknown.
 */
export function isVaried({
  operation,
  exchange,
}: Pick<Reading, 'operation' | 'exchange'>): boolean {
  return (
    writes(operation) &&
    operation.parameters.some(
      ({ in: place, name, required }) =>
        place === 'query' && !required && queryOf(exchange, name) !== undefined,
    )
  );
}

/**
 * Matches request targets of an operation and captures the values of its path parameters in order.
 */
const matchTarget = once(({ path }: Operation) => {
  const match = compilePathMatch(withoutQuery(path), 0);
  return (target: string): readonly string[] | undefined => match(target.split('?', 1)[0] ?? '');
});

/** The decoded path parameters in a request target, by name. */
export function pathValuesOf(
  operation: Operation,
  target: string,
): Readonly<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(
    (matchTarget(operation)(target) ?? []).map((value, at) => [
      names[at] ?? '',
      decodeURIComponent(value),
    ]),
  );
}

/** Whether the path and method of a request are those of an operation. */
export function isWithin(operation: Operation, { method, target }: SentRequest): boolean {
  return method === operation.method && matchTarget(operation)(target) !== undefined;
}

/** One operation for each path that ends with a parameter. */
const itemOperations = once(({ operations }: Contract): readonly Operation[] => {
  const items = operations.filter(({ path }) => path.endsWith('}'));
  return [...new Map(items.map((operation) => [operation.path, operation])).values()];
});

/** An operation at the path in a `Location`, with the values of its parameters; undefined for none. */
export function locationOf({ response, exchange: { request } }: Reading, contract: Contract) {
  const location = headerOf(response, 'location') ?? '';
  const path = URL.parse(location, `http://target${request.target}`)?.pathname;
  if (path === undefined || location === '' || isCut(location)) return undefined;
  for (const operation of itemOperations(contract)) {
    const { method } = operation;
    const target = [path, path.slice(contract.basePath.length)].find((each) =>
      isWithin(operation, { ...request, method, target: each }),
    );
    if (target !== undefined) return { operation, values: pathValuesOf(operation, target) };
  }
  return undefined;
}

/** The id in the path of a request for a single item; undefined if it has none. */
export function pathIdOf(
  { operation, exchange }: Pick<Reading, 'operation' | 'exchange'>,
  { idParameter }: Resource,
): string | undefined {
  return pathValuesOf(operation, exchange.request.target)[idParameter?.name ?? ''];
}

/** Identifies the collection of a resource with these values of the parent path parameters. */
export function scopeIn({ parents }: Resource, values: Readonly<Record<string, string>>): string {
  return parents.map((name) => encodeURIComponent(values[name] ?? '')).join('/');
}

/** Identifies the collection of a resource that a request goes to; empty if there is only one. */
export function scopeOf(
  resource: Resource,
  { operation, exchange }: Pick<Reading, 'operation' | 'exchange'>,
): string {
  if (resource.parents.length === 0) return '';
  return scopeIn(resource, pathValuesOf(operation, exchange.request.target));
}

/** The resource whose items a path parameter refers to; undefined if there is none. */
export function resourceNamedBy(
  { resources }: Contract,
  { path }: Operation,
  parameter: string,
): Resource | undefined {
  const end = path.indexOf(`{${parameter}}`) + parameter.length + 2;
  const [after = '/'] = path.slice(end);
  if (after !== '/') return undefined;
  const wanted = blankNames(path.slice(0, end));
  return resources.find(
    ({ itemPath }) => itemPath !== undefined && trimEnd(blankNames(itemPath), '/') === wanted,
  );
}

/** The parent resource of a nested collection; undefined if there is none. */
export function parentOf(contract: Contract, resource: Resource): Resource | undefined {
  return parents(contract)(resource);
}

const parents = once((contract: Contract) =>
  once(({ list, parents: names }: Resource): Resource | undefined => {
    const name = names.at(-1);
    return name === undefined ? undefined : resourceNamedBy(contract, list, name);
  }),
);

/** The resource to whose single items an operation belongs, by its path. */
export function itemResourceOf(
  { resources }: Contract,
  operation: Operation | undefined,
): Resource | undefined {
  return resources.find(({ itemPath }) => itemPath !== undefined && itemPath === operation?.path);
}
