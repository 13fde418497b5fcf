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
  readJson,
  type ReceivedResponse,
  type Exchange,
  type SentRequest,
} from '../../transport/exchange.ts';
import { isCut } from '../../transport/cut.ts';
import { once } from '../../memo/once.ts';
import { blankNames } from '../../transport/path-template.ts';
import { trimEnd } from '../../../contract/http/address.ts';

/** An exchange that was answered, with all that the contract lets one read from it. */
export class Reading {
  readonly exchange: Exchange;
  readonly response: ReceivedResponse;
  readonly operation: Operation;
  /** It was sent by the method to the path of the operation, or by a client. */
  readonly isDescribed: boolean;
  /** What the document says of the response's status; undefined where it does not list it. */
  readonly documented: ResponseContract | undefined;
  /** The documented media type that the response has; undefined if none fits. */
  readonly content: MediaType | undefined;
  readonly json: JsonValue | undefined;
  /** Members from the body down to the items that it shows. */
  readonly place: readonly string[];
  /** The items of a list; of operations without items the body, if it is an array. */
  readonly listed: readonly JsonValue[] | undefined;
  /** The single item that is shown; of operations without items the body, if it is an object. */
  readonly item: JsonObject | undefined;
  /** The body that was sent, as JSON; undefined where none was sent or it is not JSON. */
  readonly body: JsonValue | undefined;
  /** The item that was sent; of operations without items the body. */
  readonly sent: JsonValue | undefined;
  /** It has any 2xx or 3xx that the document lists for the operation. */
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
    this.body = readJson(exchange.request.body);
    this.sent = valueAt(this.body, sentPlace);
    this.succeeded =
      this.documented !== undefined && response.status >= 200 && response.status < 400;
  }

  /** What the schema of its media type says of its body; undefined where either is not there. */
  get judgement(): SchemaJudgement | undefined {
    if (this.#judgement !== undefined || this.json === undefined) return this.#judgement;
    const judgement = this.content?.schema?.judge(this.json);
    // Of a wrong body there may be very many issues, which would be kept for the whole run.
    if (judgement?.issues.length === 0) this.#judgement = judgement;
    return judgement;
  }

  /** Whether its body is right, so that each item that it shows fits that schema. */
  fits(item: SchemaNode): boolean {
    let schema = this.content?.schema;
    for (const name of this.place) schema = schema?.shape().properties.get(name);
    const shown = this.listed === undefined ? schema : schema?.shape().items;
    if (shown === undefined || !item.pointers.every((each) => shown.pointers.includes(each)))
      return false;
    const { issues, undecided } = this.judgement ?? {};
    return issues?.length === 0 && undecided === undefined;
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

  /** No other request was under way at the same time. */
  get isAlone(): boolean {
    return this.exchange.group === undefined;
  }
}

/** All exchanges of a run, read once; what every judge looks at. */
export class Trace {
  readonly contract: Contract;
  readonly requirements: Requirements;
  /** The plan of the key, as the user gave it. */
  readonly plan: RatePlan | undefined;
  /** Nobody else uses the target, as the user says. */
  readonly exclusive: boolean;
  readonly exchanges: readonly Exchange[];
  /** The answered ones, in order, without those turned away for the rate limit. */
  readonly readings: readonly Reading[];
  /** The answered ones that were turned away for the rate limit. */
  readonly limited: readonly Reading[];
  /** The answered ones of paths and methods that the document does not describe. */
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

  /** The same trace without some readings, or with fewer exchanges. */
  only(keep: (reading: Reading) => boolean, exchanges = this.exchanges): Trace {
    const all = [...this.readings, ...this.limited, ...this.outside];
    return new Trace(this.contract, this.requirements, exchanges, all.filter(keep), this.#facts);
  }
}

export interface TargetFacts {
  readonly plan?: string | undefined;
  /** Nobody else uses the target. Default false. */
  readonly exclusive?: boolean | undefined;
}

/** The plan of a name, whatever its case; undefined where the contract has none of that name. */
export function findPlan(contract: Contract, name: string | undefined): RatePlan | undefined {
  return contract.rateLimit?.plans.find((plan) => plan.name.toLowerCase() === name?.toLowerCase());
}

/** The media type of a `Content-Type`, lower case, no parameters (RFC 9110 section 8.3.1). */
export function readMediaType(text: string | undefined): string | undefined {
  return text === undefined ? undefined : essence(text);
}

/** The response to a valid request, found once. */
export const successOf = once((operation: Operation) => successResponse(operation));

export const successId = once((operation: Operation) =>
  requirementId.status(operation.id, successOf(operation)?.status ?? '200'),
);

/** The resource whose list, create or get operation this is. */
export function resourceOf(contract: Contract, operation: Operation): Resource | undefined {
  return contract.resources.find((resource) =>
    [resource.list, resource.create, resource.get].some((each) => each?.id === operation.id),
  );
}

/** The items of a list that was answered in full form; undefined where the response is not a list. */
export function itemsOf(reading: Reading): readonly JsonObject[] | undefined {
  return reading.succeeded ? reading.listed?.filter(isJsonObject) : undefined;
}

/** The single item that was answered with any 2xx; undefined where the response is none. */
export function itemOf(reading: Reading): JsonObject | undefined {
  const ok = reading.response.status >= 200 && reading.response.status < 300;
  return ok ? reading.item : undefined;
}

/** What names an item; undefined where it has none. */
export function idIn(item: JsonValue | undefined, { idPlace }: Resource): JsonValue | undefined {
  return valueAt(item, idPlace);
}

/** The identifier of an item as a path would carry it; empty where it has none that is known. */
export function idOf(item: JsonObject, resource: Resource): string {
  const id = idIn(item, resource);
  const text = id === undefined ? '' : renderPlain(id);
  return isCut(text) ? '' : text;
}

/** A value as a query string or a path would carry it. */
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

/** Matches the targets of an operation, with the values of its path parameters in their order. */
const matchTarget = once(({ path }: Operation) => {
  const match = compilePathMatch(withoutQuery(path), 0);
  return (target: string): readonly string[] | undefined => match(target.split('?', 1)[0] ?? '');
});

/** The values of the path parameters of an operation in a request target, decoded, by name. */
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

/** Whether a request goes to an operation by its method and path: the document describes it. */
export function isWithin(operation: Operation, { method, target }: SentRequest): boolean {
  return method === operation.method && matchTarget(operation)(target) !== undefined;
}

/** The identifier in the path of a request for a single item; undefined where it has none. */
export function pathIdOf(
  { operation, exchange }: Pick<Reading, 'operation' | 'exchange'>,
  { idParameter }: Resource,
): string | undefined {
  return pathValuesOf(operation, exchange.request.target)[idParameter?.name ?? ''];
}

/** Which of the collections of a resource has such values of the path parameters above it. */
export function scopeIn({ parents }: Resource, values: Readonly<Record<string, string>>): string {
  return parents.map((name) => encodeURIComponent(values[name] ?? '')).join('/');
}

/** Which of the collections of a resource a request goes to; the empty text where there is only one. */
export function scopeOf(
  resource: Resource,
  { operation, exchange }: Pick<Reading, 'operation' | 'exchange'>,
): string {
  if (resource.parents.length === 0) return '';
  return scopeIn(resource, pathValuesOf(operation, exchange.request.target));
}

/** The resource whose items a path parameter of an operation names; undefined where there is none. */
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

/** The resource within whose items a collection is; undefined where there is none. */
export function parentOf(contract: Contract, { list, parents }: Resource): Resource | undefined {
  const name = parents.at(-1);
  return name === undefined ? undefined : resourceNamedBy(contract, list, name);
}

/** The resource to whose single items an operation belongs by its path. */
export function itemResourceOf(
  { resources }: Contract,
  operation: Operation | undefined,
): Resource | undefined {
  return resources.find(({ itemPath }) => itemPath !== undefined && itemPath === operation?.path);
}
