import type { Contract } from '../../contract/contract.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Intent } from '../../conformance/index.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import {
  fieldOf,
  type RecordedExchange,
  type RecordedHeaders,
  type RecordedResponse,
} from '../recorded/recorded.ts';
import { lacksCredential, listCredentialFields, readField } from '../request/credential.ts';
import { listFaults } from '../request/fault.ts';
import { compileRouter, relativeTarget, type Route } from '../request/route.ts';
import { readIntent } from './intent.ts';
import type { TakeNote } from './notes.ts';
import { isGivenUp } from './unread.ts';

/** An exchange in the light of the document. */
export interface TrafficReading {
  readonly recorded: RecordedExchange;
  readonly operation: Operation;
  readonly values: ReadonlyMap<string, string>;
  /** Path and query relative to the base address. */
  readonly target: string;
  readonly query: URLSearchParams;
  /** The credentials that were sent; empty for none. */
  readonly key: string;
  /** It carries no credential, though the operation wants one. */
  readonly isKeyless: boolean;
  /** Its response is one to its address and key alone, and to no body, field or condition. */
  readonly isPlain: boolean;
}

/** Reads exchanges; of what is not judged, a note is taken. */
export interface TrafficReader {
  /** Undefined for what is not judged. */
  readonly read: (recorded: RecordedExchange) => TrafficReading | undefined;
  /** What a request breaks, and the status to refuse it with; undefined for nothing. */
  readonly refuse: (
    recorded: RecordedExchange,
  ) => { readonly status: number; readonly findings: readonly string[] } | undefined;
  /** What may be expected of the response. */
  readonly expect: (reading: TrafficReading, response: RecordedResponse) => Intent;
}

const keyless = 'the key is missing';

/** Fields that make a response to the same address another one (RFC 9110 sections 13.1, 14.2). */
const conditions = /^(if-(match|none-match|modified-since|unmodified-since|range)|range)$/i;

export function createReader(
  contract: Contract,
  { baseUrl, showsCredentials }: { readonly baseUrl: string; readonly showsCredentials: boolean },
  note: TakeNote,
  noteLoss: (sentence: string, example: string) => void,
): TrafficReader {
  const route = compileRouter(contract);
  const fields = listCredentialFields(contract);
  const compose = (
    recorded: RecordedExchange,
    target: string,
    { operation, values }: Extract<Route, { readonly kind: 'operation' }>,
  ): TrafficReading => {
    const { headers, body } = recorded.request;
    const query = new URLSearchParams(target.split('?')[1] ?? '');
    const key = fields
      .map((field) => readField(field, headers, query))
      .join(' ')
      .trim();
    const isKeyless = showsCredentials && lacksCredential(contract, operation, headers, query);
    const isPlain =
      body.kind === 'whole' &&
      body.text === '' &&
      !headers.some(([name]) => conditions.test(name)) &&
      operation.parameters.every(({ in: place }) => place === 'path' || place === 'query');
    return { recorded, operation, values, target, query, key, isKeyless, isPlain };
  };
  const faultsOf = ({ recorded, operation, values, query }: TrafficReading) => {
    const { headers } = recorded.request;
    return [...listFaults(contract, operation, recorded.request, { values, query, headers })];
  };
  const noteRequest = ({ operation, recorded, target }: TrafficReading, sentence: string): void =>
    note('request', `${operation.id}: ${sentence}`, `${recorded.request.method} ${target}`);
  return {
    read: (recorded) => {
      const { request, foreign } = recorded;
      const { method, headers } = request;
      const url = request.url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
      const target = relativeTarget(url, baseUrl);
      if (target === undefined) {
        const origin = URL.parse(url)?.origin ?? 'null';
        const where = origin === 'null' ? 'another address' : origin;
        note('outside', `${where} is not below ${baseUrl}`, `${method} ${url}`);
        return undefined;
      }
      const example = `${method} ${target}`;
      if (isPreflight(method, headers))
        note('not-judged', 'sent by the browser itself (CORS preflight)', example);
      else if (foreign !== undefined) {
        note('not-judged', foreign, example);
        const isLoss = recorded.response === undefined && !isGivenUp(foreign);
        if (isLoss && route(method, target).kind !== 'none') noteLoss(foreign, example);
      } else {
        const found = route(method, target);
        if (found.kind === 'none') {
          note('outside', `${example.split('?')[0]}: ${found.reason}`, example);
          return undefined;
        }
        return compose(recorded, target, found);
      }
      return undefined;
    },
    refuse: (recorded) => {
      const { method, headers, url } = recorded.request;
      const target = relativeTarget(url, baseUrl);
      const found = target === undefined ? undefined : route(method, target);
      if (target === undefined || found?.kind !== 'operation' || isPreflight(method, headers))
        return undefined;
      const reading = compose(recorded, target, found);
      const faults = faultsOf(reading).map(({ sentence }) => sentence);
      const findings = reading.isKeyless ? [keyless, ...faults] : faults;
      for (const sentence of findings) noteRequest(reading, sentence);
      const status = reading.isKeyless ? 401 : (refusalStatus(reading.operation) ?? 400);
      return findings.length === 0 ? undefined : { status, findings };
    },
    expect: (reading, { status, body }) => {
      const { recorded, operation, target, isKeyless } = reading;
      const { request } = recorded;
      const { headers } = request;
      const example = `${request.method} ${target}`;
      const faults = faultsOf(reading);
      if (isKeyless) noteRequest(reading, keyless);
      for (const { sentence } of faults) noteRequest(reading, sentence);
      if (documentedResponse(operation, status) === undefined && status >= 300)
        note('status', `${operation.id} returned ${status}, which it does not document`, example);
      if (body.kind === 'unknown')
        note('not-judged', `the body of a response ${body.reason}`, example);
      if (request.body.kind === 'unknown')
        note('not-judged', `the body of a request ${request.body.reason}`, example);
      const isConditional = headers.some(([name]) => conditions.test(name));
      // Where one has to be refused for several, one that is required is named.
      const fault = faults.find(({ requirement }) => requirement !== undefined) ?? faults[0];
      return readIntent({ operation, status, fault, isKeyless, isConditional });
    },
  };
}

/** Whether a browser asks if a page may send a request (Fetch standard, CORS-preflight request). */
function isPreflight(method: string, headers: RecordedHeaders): boolean {
  return method === 'OPTIONS' && fieldOf(headers, 'access-control-request-method') !== undefined;
}
