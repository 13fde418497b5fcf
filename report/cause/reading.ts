import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  headerOf,
  jsonOf,
  operationOf,
  pathValuesOf,
  readJson,
  type Exchange,
  type ReceivedResponse,
} from '../../conformance/index.ts';
import type { Form } from './fact.ts';

/** An exchange with what can be read from it. */
export interface Reading {
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  /** Undefined where none came. */
  readonly response: ReceivedResponse | undefined;
  /** The body that came back, as JSON; undefined where it is none. */
  readonly body: JsonValue | undefined;
  /** The body that was sent, as JSON; undefined where it is none. */
  readonly sent: JsonValue | undefined;
  /** The status that the request had to be answered; undefined where that is open. */
  readonly expected: number | undefined;
  /** The first exchange of its shard, which has items and limits of its own; 0 of a single run. */
  readonly shard: number;
}

/** All exchanges of a run, by index. */
export interface Log {
  readonly contract: Contract;
  readonly readings: ReadonlyMap<number, Reading>;
  /** Whether any response has a header of the rate limit. */
  readonly hasQuotaHeaders: boolean;
  /** Several shards, each with a key of its own, sent them. */
  readonly isSplit: boolean;
}

/** Stands for an exchange that the run does not hold. */
export function unknownReading(index: number): Reading {
  return {
    exchange: {
      index,
      probe: '',
      intent: { kind: 'open', question: '', way: '' },
      request: {
        operation: '',
        method: '',
        target: '',
        headers: [],
        credential: 'valid',
        body: undefined,
      },
      outcome: { kind: 'no-response', error: { reason: 'unreachable', message: '' } },
      sentAt: 0,
      endedAt: 0,
      group: undefined,
    },
    operation: undefined,
    response: undefined,
    body: undefined,
    sent: undefined,
    expected: undefined,
    shard: 0,
  };
}

/** @param starts the first exchange of each shard, in a report that was merged */
export function readLog(
  contract: Contract,
  exchanges: readonly Exchange[],
  starts: readonly number[] = [],
): Log {
  const readings = exchanges.map((each) => readExchange(contract, each, starts));
  const hasQuotaHeaders = readings.some(
    ({ response }) => response !== undefined && quotaHeadersOf(response, contract).length > 0,
  );
  return {
    contract,
    readings: new Map(readings.map((each) => [each.exchange.index, each])),
    hasQuotaHeaders,
    isSplit: starts.length > 1,
  };
}

/** The value of the last path parameter of a request, decoded; empty where it has none. */
export function pathIdOf({ operation, exchange }: Reading): string {
  if (operation === undefined) return '';
  return Object.values(pathValuesOf(operation, exchange.request.target)).at(-1) ?? '';
}

function readExchange(contract: Contract, exchange: Exchange, starts: readonly number[]): Reading {
  const operation = operationOf(contract, exchange.request.operation);
  const response = exchange.outcome.kind === 'answered' ? exchange.outcome.response : undefined;
  return {
    exchange,
    operation,
    response,
    body: response && jsonOf(response),
    sent: readJson(exchange.request.body),
    expected: expectedStatus(exchange, operation, contract),
    shard: starts.findLast((from) => from <= exchange.index) ?? 0,
  };
}

function expectedStatus(
  { intent }: Exchange,
  operation: Operation | undefined,
  contract: Contract,
): number | undefined {
  if (intent.kind === 'invalid') return intent.status;
  if (intent.kind === 'absent') return 404;
  if (intent.kind === 'beyond') return contract.rateLimit?.status;
  const success = operation === undefined ? undefined : successResponse(operation);
  return intent.kind === 'valid' && success !== undefined ? Number(success.status) : undefined;
}

/** The names of the rate-limit headers that a response has, of those that all responses carry. */
export function quotaHeadersOf(
  response: ReceivedResponse,
  { rateLimit }: Contract,
): readonly string[] {
  if (rateLimit === undefined) return [];
  const { limit, remaining, reset } = rateLimit.headers;
  return [limit, remaining, reset].filter((name) => headerOf(response, name) !== undefined);
}

/** The media type of a response, in lower case and without parameters; empty for none. */
export function mediaTypeOf(response: ReceivedResponse): string {
  return headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The form of a body. */
export function formOf({ response, body }: Reading): Form {
  if (response === undefined || response.body === '') return { kind: 'none' };
  if (isJsonObject(body)) return { kind: 'object', members: Object.keys(body).slice(0, 6) };
  if (body !== undefined) return { kind: 'json' };
  if (!/<html|<!doctype/i.test(response.body))
    return { kind: 'text', mediaType: mediaTypeOf(response) };
  const title = /<title>([^<]{1,80})/i.exec(response.body)?.[1] ?? '';
  return { kind: 'page', title: title.trim() };
}

/**
 * A refusal that the service itself did not write: it is not of the error shape and carries none of
 * its headers; where no response carries them, its type is not JSON either.
 */
export function isForeign(reading: Reading, { contract, hasQuotaHeaders }: Log): boolean {
  const { response, body } = reading;
  if (response === undefined || isCrash(reading) || response.status < 300) return false;
  if (quotaHeadersOf(response, contract).length > 0) return false;
  const issues = body === undefined ? 1 : (contract.error?.schema.validate(body).length ?? 0);
  return issues > 0 && (hasQuotaHeaders || mediaTypeOf(response) !== 'application/json');
}

/** The operations of exchanges, each once. */
export function operationsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.map(({ exchange }) => exchange.request.operation))];
}

/** True for a status of success. */
export function isServed({ response }: Reading): boolean {
  return response !== undefined && response.status < 300;
}

/** No response came, or one that says that the server failed. */
export function isCrash({ response }: Reading): boolean {
  return response === undefined || response.status >= 500;
}

/** The objects of a response: the items of a list, or the body itself. */
export function objectsOf({ body }: Reading): readonly JsonObject[] {
  return (isJsonArray(body) ? body : [body]).filter((each) => isJsonObject(each));
}

/** The identifier of an item, as text; empty where it has none. */
export function idOf(item: JsonValue | undefined, { contract }: Log): string {
  for (const { idProperty } of contract.resources) {
    const id = isJsonObject(item) ? item[idProperty] : undefined;
    if (id !== undefined) return typeof id === 'string' ? id : renderJson(id);
  }
  return '';
}

/** What tells an item of a response from all others of the log; empty where it has no identifier. */
export function itemKey(item: JsonValue | undefined, { shard }: Reading, log: Log): string {
  const id = idOf(item, log);
  return id === '' ? '' : `${shard} ${id}`;
}

/** Whether an operation changes what the service stores: it is no GET. */
export function isWriting(operation: Operation | undefined): boolean {
  return operation !== undefined && operation.method !== 'GET';
}
