import { documentedResponse } from '../../contract/openapi/response.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { requirementId, type Intent } from '../../conformance/index.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import type { RequestFault } from '../request/fault.ts';

/** A request of somebody else, as far as it can be read. */
export interface SentByOther {
  readonly operation: Operation;
  readonly status: number;
  readonly fault: RequestFault | undefined;
  /** It carries no credential, though the operation wants one. */
  readonly isKeyless: boolean;
  /** A part of the response is asked for, or one only if it changed (RFC 9110 sections 13, 14). */
  readonly isConditional: boolean;
}

/**
 * What may be expected of the response to a request that nobody sent for the suite. Why a target
 * refuses a request that keeps the document, nobody but the target knows: others hold its items and
 * rights. So only what it serves is held against the request, and a refusal where one has to come.
 */
export function readIntent({
  operation,
  status,
  fault,
  isKeyless,
  isConditional,
}: SentByOther): Intent {
  const isServed = status >= 200 && status < 300;
  if (isKeyless && (isServed || status === 401)) {
    const requirement = requirementId.auth(operation.id, 'missing');
    return { kind: 'invalid', requirement, way: 'the key is missing', status: 401 };
  }
  if (isKeyless) return unspecified('a request without a key');
  if (fault !== undefined) {
    const { requirement, sentence: way } = fault;
    const refused = refusalStatus(operation);
    if (requirement === undefined || refused === undefined) return unspecified(way);
    return isServed || status === refused
      ? { kind: 'invalid', requirement, way, status: refused }
      : unspecified(way);
  }
  const isListed = documentedResponse(operation, status) !== undefined;
  if ((isServed && !isConditional) || (isListed && status < 400))
    return { kind: 'valid', exercises: [], mayRefuse: [] };
  return unspecified('a request of a client');
}

function unspecified(way: string): Intent {
  return { kind: 'unspecified', way };
}
