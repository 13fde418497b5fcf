import { essence } from '../../contract/openapi/media-type.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  documentedResponse,
  type ResponseContract,
  successResponse,
} from '../../contract/openapi/response.ts';
import {
  type Exchange,
  type Failure,
  type ReceivedResponse,
  type Requirement,
  type Verdict,
  headerOf,
  jsonOf,
  operationOf,
  readSentBody,
} from '../../conformance/index.ts';

export interface Reading {
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  readonly response: ReceivedResponse | undefined;
  readonly body: JsonValue | undefined;
  /** The documented response for its status. */
  readonly documented: ResponseContract | undefined;
  /** The body that was sent; undefined if it is neither JSON nor a form. */
  readonly sent: JsonValue | undefined;
  /** The expected status; undefined if several are allowed. */
  readonly expected: number | undefined;
}

export interface Log {
  readonly contract: Contract;
  readonly readings: readonly Reading[];
  /** The readings whose response is below 500. */
  readonly answered: readonly Reading[];
}

/** One failure of one requirement, with the exchanges that show it. */
export interface Symptom {
  readonly requirement: Requirement;
  readonly failure: Failure;
  /** As it was found first, before it was reduced to a smaller one. */
  readonly found: Omit<Failure, 'shrunkFrom'>;
  /** The exchange in which it was found first. */
  readonly reading: Reading;
  /** Further exchanges that are needed to see the contradiction. */
  readonly others: readonly Reading[];
}

export function readLog(contract: Contract, exchanges: readonly Exchange[]): Log {
  const readings = exchanges.map((each) => readExchange(contract, each));
  return { contract, readings, answered: readings.filter((each) => !isCrash(each)) };
}

function readExchange(contract: Contract, exchange: Exchange): Reading {
  const operation = operationOf(contract, exchange.request.operation);
  const response = exchange.outcome.kind === 'answered' ? exchange.outcome.response : undefined;
  return {
    exchange,
    operation,
    response,
    documented: response && operation && documentedResponse(operation, response.status),
    body: response && jsonOf(response),
    sent: operation && readSentBody(operation, exchange.request).body,
    expected: expectedStatus(exchange, operation, contract),
  };
}

/** For a valid request, the documented success; undefined if that is `default` or a range. */
function expectedStatus(
  { intent }: Exchange,
  operation: Operation | undefined,
  { rateLimit }: Contract,
): number | undefined {
  if (intent.kind === 'invalid') return intent.status;
  if (intent.kind === 'absent') return 404;
  if (intent.kind === 'beyond') return rateLimit?.status;
  const status = operation && intent.kind === 'valid' ? successResponse(operation)?.status : '';
  return Number(status) || undefined;
}

export function readSymptoms(verdicts: readonly Verdict[], { readings }: Log): readonly Symptom[] {
  const byIndex = new Map(readings.map((each) => [each.exchange.index, each]));
  return verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'failed') return [];
    return verdict.failures.flatMap((failure) => {
      const { shrunkFrom: found = failure } = failure;
      const reading = byIndex.get(found.exchange);
      const others = found.others.flatMap((index) => byIndex.get(index) ?? []);
      const { requirement } = verdict;
      return reading === undefined ? [] : [{ requirement, failure, found, reading, others }];
    });
  });
}

/** The exchanges of symptoms in their order, without duplicates. */
export function readingsOf(symptoms: readonly Symptom[]): readonly Reading[] {
  return [...new Set(symptoms.map(({ reading }) => reading))].toSorted(
    (one, other) => one.exchange.index - other.exchange.index,
  );
}

export function operationsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.map(({ exchange }) => exchange.request.operation))];
}

export function isAsExpected({ expected, response }: Reading): boolean {
  return expected === response?.status;
}

export function isServed({ response }: Reading): boolean {
  return response !== undefined && response.status < 300;
}

/** No response, or one that says that the server failed. */
export function isCrash({ response }: Reading): boolean {
  return response === undefined || response.status >= 500;
}

/** The media type of a response, in lower case and without parameters; empty for none. */
export function mediaTypeOf(response: ReceivedResponse): string {
  return essence(headerOf(response, 'content-type') ?? '');
}

/** A text of at most this many characters, well formed even if it is cut within a surrogate pair. */
export function cutText(text: string, most = 60): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
