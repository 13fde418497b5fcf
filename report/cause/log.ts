import { valueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { shownPlace } from '../../contract/resource/resource.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  type Requirement,
  headerOf,
  jsonOf,
  operationOf,
  pathValuesOf,
  readJson,
  type Exchange,
  type Failure,
  type ReceivedResponse,
  type Verdict,
} from '../../conformance/index.ts';
import type { CauseFact, CauseOutcome, Condition, Form } from './fact.ts';

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
  /** The status that is due; undefined where that is open. */
  readonly expected: number | undefined;
  /** The first exchange of its shard, which has items and limits of its own; 0 of a single run. */
  readonly shard: number;
}

/** All exchanges of a run, by index. */
export interface Log {
  readonly contract: Contract;
  readonly readings: ReadonlyMap<number, Reading>;
  /** The readings with a response below 500. */
  readonly answered: readonly Reading[];
  /** Whether any response has a header of the rate limit. */
  readonly hasQuotaHeaders: boolean;
  /** Several shards, each with a key of its own, sent them. */
  readonly isSplit: boolean;
}

/** One failure of one requirement, with the exchanges that show it. */
export interface Symptom {
  readonly requirement: Requirement;
  readonly failure: Failure;
  /** The exchange in which it was found first, before a smaller one was looked for. */
  readonly reading: Reading;
  /** Further exchanges that the contradiction needs. */
  readonly others: readonly Reading[];
  /** Id of the requirement whose failure led to this one, as the judge found. */
  readonly because: string | undefined;
}

/** Symptoms with one cause, and what is said of them; the log says how often. */
export interface Claim extends Omit<
  CauseFact,
  'operations' | 'among' | 'of' | 'others' | 'elsewhere'
> {
  /** Which exchanges are counted; by default all of the operations of the symptoms. */
  readonly among?: readonly Condition[];
  readonly operations?: readonly string[];
  /** None is in another claim. */
  readonly symptoms: readonly Symptom[];
  /** The symptom whose requirement carries the cause; by default the first as reports order them. */
  readonly leads?: (symptom: Symptom) => boolean;
}

/** Finds causes among the symptoms that no rule before it has explained. */
export type Rule = (symptoms: readonly Symptom[], log: Log) => readonly Claim[];

/** @param starts the first exchange of each shard, in a report that was merged */
export function readLog(
  contract: Contract,
  exchanges: readonly Exchange[],
  starts: readonly number[] = [],
): Log {
  const readings = exchanges.map((each) => readExchange(contract, each, starts));
  return {
    contract,
    readings: new Map(readings.map((each) => [each.exchange.index, each])),
    answered: readings.filter((each) => !isCrash(each)),
    hasQuotaHeaders: readings.some((each) => quotaHeadersOf(each, contract).length > 0),
    isSplit: starts.length > 1,
  };
}

function readExchange(
  contract: Contract,
  exchange: Exchange,
  starts: readonly number[] = [],
): Reading {
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

/** The failures of verdicts, in their order. */
export function readSymptoms(
  verdicts: readonly Verdict[],
  { readings, contract }: Log,
): readonly Symptom[] {
  return verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'failed') return [];
    return verdict.failures.map((failure) => {
      const { exchange, others, because } = failure.shrunkFrom ?? failure;
      return {
        requirement: verdict.requirement,
        failure,
        reading: readings.get(exchange) ?? readExchange(contract, unknownExchange(exchange)),
        others: others.flatMap((index) => readings.get(index) ?? []),
        because,
      };
    });
  });
}

/** Of an exchange that the report does not hold nothing is known. */
function unknownExchange(index: number): Exchange {
  const request = { operation: '', method: '', target: '', headers: [], body: undefined };
  return {
    index,
    probe: '',
    intent: { kind: 'open', question: '', way: '' },
    request: { ...request, credential: 'valid' },
    outcome: { kind: 'no-response', error: { reason: 'unreachable', message: '' } },
    sentAt: 0,
    endedAt: 0,
    group: undefined,
  };
}

/** The exchanges of symptoms, each once, in the order in which they happened. */
export function readingsOf(symptoms: readonly Symptom[]): readonly Reading[] {
  return [...new Set(symptoms.map(({ reading }) => reading))].toSorted(
    (one, other) => one.exchange.index - other.exchange.index,
  );
}

/** The operations of exchanges, each once. */
export function operationsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.map(({ exchange }) => exchange.request.operation))];
}

/** Symptoms by the exchanges in which they were found. */
export function groupByReadings<Group>(
  groups: Iterable<Group>,
  symptomsOf: (group: Group) => readonly Symptom[],
): readonly (readonly Group[])[] {
  const indexes = (group: Group): string =>
    readingsOf(symptomsOf(group))
      .map(({ exchange }) => exchange.index)
      .join(' ');
  return [...Map.groupBy(groups, indexes).values()];
}

/** The outcome of exchanges about which no more can be said than what fails in them. */
export function failing(symptoms: readonly Symptom[]): CauseOutcome {
  return {
    kind: 'fails',
    requirements: [...new Set(symptoms.map(({ requirement }) => requirement.id))],
  };
}

/** The outcome of a request: no response, served where it had to be refused, or its status. */
export function outcomeOf({ response, exchange, expected = 0 }: Reading): CauseOutcome {
  if (response === undefined) {
    const { outcome } = exchange;
    const reason = outcome.kind === 'no-response' ? outcome.error.reason : 'unreachable';
    return { kind: 'no-response', reason };
  }
  const { status } = response;
  return status < 300 && expected >= 300 ? { kind: 'served' } : { kind: 'status', status };
}

export function isAsExpected({ expected, response }: Reading): boolean {
  return expected === response?.status;
}

/** The response has another status than was due, and the requirement is about it. */
export function isWrongStatus({
  requirement: { subject },
  failure: { expected },
  reading,
}: Symptom): boolean {
  const isOther = ['body', 'header', 'state', 'concurrency'].includes(subject.kind);
  const isQuota = subject.kind === 'rate-limit' && subject.facet !== 'exceeded';
  return (
    (!isOther || (subject.kind === 'state' && /^\d{3}\b/.test(expected))) &&
    !isQuota &&
    reading.expected !== undefined &&
    !isAsExpected(reading)
  );
}

/** True for a status of success. */
export function isServed({ response }: Reading): boolean {
  return response !== undefined && response.status < 300;
}

/** No response came, or one that says that the server failed. */
export function isCrash({ response }: Reading): boolean {
  return response === undefined || response.status >= 500;
}

/** Whether an operation changes what the service stores: it is no GET. */
export function isWriting(operation: Operation | undefined): boolean {
  return operation !== undefined && operation.method !== 'GET';
}

/** The value of the last path parameter of a request, decoded; empty where it has none. */
export function pathIdOf({ operation, exchange }: Reading): string {
  if (operation === undefined) return '';
  return Object.values(pathValuesOf(operation, exchange.request.target)).at(-1) ?? '';
}

/** The names of the rate-limit headers that a response has, of those that all responses carry. */
export function quotaHeadersOf({ response }: Reading, { rateLimit }: Contract): readonly string[] {
  if (rateLimit === undefined || response === undefined) return [];
  const { limit, remaining, reset } = rateLimit.headers;
  return [limit, remaining, reset].filter((name) => headerOf(response, name) !== undefined);
}

/** The headers that a response lacks as a symptom has it; empty for any other symptom. */
export function missingHeaders(
  { requirement: { subject }, reading: { response } }: Symptom,
  { contract }: Log,
): readonly string[] {
  if (response === undefined) return [];
  const quota = contract.rateLimit?.headers;
  const isQuota = subject.kind === 'rate-limit' && subject.facet === 'headers';
  const ofQuota = isQuota && quota ? [quota.limit, quota.remaining, quota.reset] : [];
  const names = subject.kind === 'header' ? [subject.name] : ofQuota;
  return names.filter((name) => headerOf(response, name) === undefined);
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
  if (quotaHeadersOf(reading, contract).length > 0) return false;
  const issues = body === undefined ? 1 : (contract.error?.schema.validate(body).length ?? 0);
  return issues > 0 && (hasQuotaHeaders || mediaTypeOf(response) !== 'application/json');
}

/** The objects of a response: the items of a list, the one that it shows, or the body itself. */
export function objectsOf({ body, operation }: Reading, { contract }: Log): readonly JsonObject[] {
  const place = operation && shownPlace(contract.resources, operation);
  const shown = valueAt(body, place ?? []) ?? body;
  return (isJsonArray(shown) ? shown : [shown]).filter((each) => isJsonObject(each));
}

/** Identifies an item of a response in the whole log; empty for an item without an identifier. */
export function itemKey(
  item: JsonValue | undefined,
  { shard }: Reading,
  { contract }: Log,
): string {
  for (const { idPlace } of contract.resources) {
    const id = valueAt(item, idPlace);
    if (id !== undefined) return `${shard} ${typeof id === 'string' ? id : renderJson(id)}`;
  }
  return '';
}

/** What no rule explains further: each requirement is a cause of its own. */
export function explainRest(symptoms: readonly Symptom[]): readonly Claim[] {
  return [...Map.groupBy(symptoms, ({ requirement }) => requirement).values()].map((own) => ({
    kind: 'requirement',
    outcome: failing(own),
    symptoms: own,
  }));
}
