import type { Operation } from '../../../contract/openapi/operation.ts';
import { compilePathMatch } from '../../../contract/openapi/path-pattern.ts';
import { decodePercent } from '../../../contract/source/percent.ts';
import type { MockResponse } from '../../http/message.ts';
import type { Service } from '../../sandbox/service.ts';
import type { StubRequest, StubResponse, StubRule, StubWarning } from '../declaration/schemas.ts';
import { judgeResponse } from './judge.ts';
import { type ReceivedRequest, explainMiss } from './received-request.ts';
import { type StubbedResponse, composeResponse } from './stubbed-response.ts';

/** A rule under one service, ready for requests. */
export interface CompiledStub {
  /** Operation, path and method of a request match. */
  isNear(received: ReceivedRequest): boolean;
  /** It names an operation or a path, so that a miss means something. */
  readonly isSpecific: boolean;
  /** Why a request that is near does not match; undefined if it does. */
  explainMiss(received: ReceivedRequest): string | undefined;
  /** Its response to the request that is so many after the first. */
  answer(index: number, operation: Operation | undefined): JudgedResponse;
}

/** A response with what it breaks. */
interface JudgedResponse extends StubbedResponse {
  readonly warnings: readonly StubWarning[];
}

/** The responses of a rule, in turn. */
export function responsesOf({ response, responses }: StubRule): readonly StubResponse[] {
  return responses ?? [response ?? {}];
}

export function compileStub(rule: StubRule, service: Service): CompiledStub {
  const { request = {} } = rule;
  const { operation: wanted, method, path } = request;
  const matches = path === undefined ? undefined : compilePath(path, service.contract.basePath);
  const responses = responsesOf(rule);
  const known = new Map<string, JudgedResponse>();
  return {
    isSpecific: wanted !== undefined || path !== undefined,
    isNear: (received) =>
      (wanted === undefined || wanted === received.operation?.id) &&
      matchesMethod(method, received.method) &&
      (matches?.(received.path) ?? true),
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
function matchesMethod(wanted: string | undefined, sent: string): boolean {
  return wanted === undefined || wanted === sent || (wanted === 'GET' && sent === 'HEAD');
}

/** True if a stub may match requests to an operation. */
export function concerns(
  { operation, method, path }: StubRequest,
  one: Operation,
  basePath: string,
): boolean {
  if (operation !== undefined && operation !== one.id) return false;
  if (!matchesMethod(method, one.method)) return false;
  if (path === undefined) return true;
  // Parameters of either match those of the other.
  const own = one.path.split(/[?#]/)[0] ?? '';
  return (
    compilePath(own, basePath)(basePath + withoutBase(path, basePath)) ||
    compilePath(path, basePath)(basePath + own)
  );
}

/** Compiles a path of a stub, with or without the base path, for paths as they are sent. */
function compilePath(template: string, basePath: string): (path: string) => boolean {
  const match = compilePathMatch(decoded(basePath + withoutBase(template, basePath)));
  return (path) => match(decoded(path)) !== undefined;
}

/** The path of a template without the base path. */
export function withoutBase(template: string, basePath: string): string {
  const hasBase = basePath !== '' && `${template}/`.startsWith(`${basePath}/`);
  return hasBase ? template.slice(basePath.length) : template;
}

/** An encoded slash stays encoded: it is part of a segment. */
function decoded(path: string): string {
  const segments = path.split('/').map((one) => decodePercent(one) ?? one);
  return segments.map((one) => one.replaceAll('/', '%2F')).join('/');
}

function judgeAnswer(
  response: StubResponse,
  operation: Operation | undefined,
  service: Service,
): JudgedResponse {
  const answer = composeResponse(response, operation);
  if (operation === undefined) return { ...answer, warnings: [] };
  const sent = renderOnce(answer, operation, service);
  return { ...answer, warnings: judgeResponse(service.contract, operation, sent) };
}

/** As it is sent at any time: what depends on earlier requests is as for the first. */
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
