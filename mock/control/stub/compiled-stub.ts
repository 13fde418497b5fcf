import type { Operation } from '../../../contract/index.ts';
import type { MockResponse } from '../../http/message.ts';
import type { Service } from '../../sandbox/service.ts';
import { type StubbedResponse, composeResponse } from './stubbed-response.ts';
import type { ReceivedRequest } from './received-request.ts';
import { explainMiss } from './condition.ts';
import { judgeResponse } from './judge.ts';
import { compilePath, withoutBase } from './path-match.ts';
import type { StubRequest, StubResponse, StubRule, StubWarning } from './stub.ts';

/** A rule under one service, ready for requests. */
export interface CompiledStub {
  /** It names the operation, or the path and method, of a request. */
  isNear(received: ReceivedRequest): boolean;
  /** It names an operation or a path: that another is sent tells nothing. */
  readonly isSpecific: boolean;
  /** Why a request that is near is not meant; undefined where it is. */
  explainMiss(received: ReceivedRequest): string | undefined;
  /** Its response to the request that is so many after the first. */
  answer(index: number, operation: Operation | undefined): JudgedResponse;
}

/** A response with what it breaks. */
export interface JudgedResponse extends StubbedResponse {
  readonly warnings: readonly StubWarning[];
}

/** The responses of a rule, in turn. */
export function responsesOf({ response, responses }: StubRule): readonly StubResponse[] {
  return responses ?? [response ?? {}];
}

/** Compiles a rule. */
export function compileStub(rule: StubRule, service: Service): CompiledStub {
  const { request = {} } = rule;
  const { operation: wanted, method, path } = request;
  const fitsPath = path === undefined ? undefined : compilePath(path, service.contract.basePath);
  const responses = responsesOf(rule);
  const known = new Map<string, JudgedResponse>();
  return {
    isSpecific: wanted !== undefined || path !== undefined,
    isNear: (received) =>
      (wanted === undefined || wanted === received.operation?.id) &&
      fitsMethod(method, received.method) &&
      (fitsPath?.(received.path) ?? true),
    explainMiss: (received) => explainMiss(request, received),
    answer(index, operation) {
      const at = Math.min(index, responses.length - 1);
      const key = `${at} ${operation?.id}`;
      const found = known.get(key) ?? judgeAnswer(responses[at] ?? {}, operation, service);
      known.set(key, found);
      return found;
    },
  };
}

/** A server answers HEAD as it would GET (RFC 9110 section 9.3.2). */
export function fitsMethod(wanted: string | undefined, sent: string): boolean {
  return wanted === undefined || wanted === sent || (wanted === 'GET' && sent === 'HEAD');
}

/** True where a stub may be for requests to an operation. */
export function concerns(
  { operation, method, path }: StubRequest,
  one: Operation,
  basePath: string,
): boolean {
  if (operation !== undefined && operation !== one.id) return false;
  if (!fitsMethod(method, one.method)) return false;
  return path === undefined || overlaps(path, one.path, basePath);
}

/** One of them fits the other; parameters of either stand for themselves then. */
function overlaps(path: string, template: string, basePath: string): boolean {
  const own = template.split(/[?#]/)[0] ?? '';
  return (
    compilePath(own, basePath)(basePath + withoutBase(path, basePath)) ||
    compilePath(path, basePath)(basePath + own)
  );
}

function judgeAnswer(
  response: StubResponse,
  operation: Operation | undefined,
  service: Service,
): JudgedResponse {
  const answer = composeResponse(response, operation);
  const warnings =
    operation === undefined
      ? []
      : judgeResponse(service.contract, operation, renderOnce(answer, operation, service));
  return { ...answer, warnings };
}

/** As it is sent at any time: what moves with requests is as for the first. */
function renderOnce(
  answer: StubbedResponse,
  operation: Operation,
  { contract, responseRenderer }: Service,
): MockResponse {
  const { rateLimit } = contract;
  const { outcome } = answer;
  const isSpent = outcome.status === rateLimit?.status;
  const facts = isSpent ? { ...outcome.facts, retryAfter: 1 } : outcome.facts;
  const rendered = responseRenderer.render(
    operation,
    { ...outcome, facts },
    {
      now: 0,
      rate: rateLimit && { limit: 1, remaining: 0, resetAt: 60_000 },
      applied: '',
      target: contract.basePath + operation.path,
      sandbox: '',
      index: 0,
    },
  );
  return answer.alter(rendered);
}
