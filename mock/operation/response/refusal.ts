import { parsePointer } from '../../../contract/json/pointer.ts';
import type { SecurityAlternative } from '../../../contract/openapi/credential.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Issue } from '../../../contract/schema/schema-node.ts';
import { excerpt } from '../../http/message.ts';
import type { OverLimit } from '../../rate-limit/limiter.ts';

/** What the headers of a response say, as data. Every other step hands over facts and no header. */
export interface HeaderFacts {
  /** Methods of the path. */
  readonly allow?: readonly string[];
  /** The response answers a preflight for these methods (Fetch standard, CORS protocol). */
  readonly preflight?: readonly string[];
  /** Media types that the body of the request may have. */
  readonly accept?: string;
  /** Content codings that the body of the request may have. */
  readonly acceptEncoding?: string;
  /** The credentials that are wanted; `wrong` says what is wrong with the one that was sent. */
  readonly challenge?: {
    readonly security: readonly SecurityAlternative[];
    readonly wrong?: string | undefined;
  };
  /** Seconds to wait before the next request. */
  readonly retryAfter?: number;
  /** Reference to the item that was created. */
  readonly location?: string | undefined;
  /** Reference to the next page. */
  readonly next?: string;
  /** Items of a list on all its pages. */
  readonly total?: number;
}

/** Why a request was not served; the default value of the error member `code`. */
export type Reason = keyof typeof reasons;

/** What a request gets that is not served, rendered in the document's error shape. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reason: Reason;
  readonly status: number;
  /** For people: the true reason, with a JSON pointer where a value is at fault. */
  readonly message: string;
  readonly facts: HeaderFacts | undefined;
  /** JSON pointer into the document of what it rests on; undefined if none is known. */
  readonly place: string | undefined;
}

/** The step of a request's way that refuses. */
export type Check = (typeof reasons)[Reason]['check'];

/**
 * Reasons by check, with statuses: the first that the operation documents is sent, or the lowest. Of
 * both, 400 is for bad syntax, and 422 for bad values (RFC 9110 section 15.5.21).
 */
const reasons = {
  malformed_request: { check: 'http', statuses: [400] },
  invalid_parameter: { check: 'parameters', statuses: [422, 400] },
  missing_body: { check: 'content', statuses: [422, 400] },
  malformed_body: { check: 'content', statuses: [400, 422] },
  invalid_body: { check: 'content', statuses: [422, 400] },
  unauthorized: { check: 'credential', statuses: [401] },
  forbidden: { check: 'credential', statuses: [403] },
  not_found: { check: 'state', statuses: [404] },
  unknown_path: { check: 'route', statuses: [404] },
  method_not_allowed: { check: 'route', statuses: [405] },
  not_acceptable: { check: 'accept', statuses: [406] },
  request_timeout: { check: 'http', statuses: [408] },
  conflict: { check: 'state', statuses: [409] },
  body_too_large: { check: 'content', statuses: [413] },
  memory: { check: 'memory', statuses: [413] },
  unsupported_media_type: { check: 'content', statuses: [415] },
  rate_limited: { check: 'rate-limit', statuses: [429] },
  banned: { check: 'rate-limit', statuses: [429] },
  headers_too_large: { check: 'http', statuses: [431] },
  internal_fault: { check: 'state', statuses: [500] },
  unavailable: { check: 'state', statuses: [503] },
  injected_fault: { check: 'fault', statuses: [500] },
  preferred: { check: 'preference', statuses: [400] },
  stubbed: { check: 'stub', statuses: [400] },
} as const satisfies Record<string, { check: string; statuses: readonly number[] }>;

/** True for the name of a reason. */
export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}

/** The check that refuses for a reason. */
export function checkOf(reason: Reason): Check {
  return reasons[reason].check;
}

/** Longer messages, which quote what was sent, are cut off, since journals are bounded. */
const maxMessage = 1000;

/** `documented`: statuses of the operation; `status`: one that an open question decided. */
export function refuse(
  reason: Reason,
  message: string,
  more: {
    facts?: HeaderFacts | undefined;
    documented?: ReadonlySet<number>;
    status?: number;
    place?: string | undefined;
  } = {},
): Refusal {
  const statuses: readonly number[] = reasons[reason].statuses;
  const status =
    more.status ?? statuses.find((one) => more.documented?.has(one)) ?? Math.min(...statuses);
  return {
    kind: 'refusal',
    reason,
    status,
    message: excerpt(message, maxMessage),
    facts: more.facts,
    place: more.place,
  };
}

const maxIssues = 5;

/** The issues of a body in words, with JSON pointers: `name is required (at /name)`. */
export function renderIssues(issues: readonly Issue[]): string {
  const parts = issues
    .slice(0, maxIssues)
    .map(({ at, message }) =>
      at === '' ? `The body ${message}` : `${parsePointer(at).at(-1)} ${message} (at ${at})`,
    );
  const left = issues.length - parts.length;
  return left > 0 ? `${parts.join('; ')}; and ${left} more` : parts.join('; ');
}

/** The refusal of a request over the rate limit, or of a banned key; by default a 429. */
export function refuseOverLimit({ isBanned, isAnonymous, seconds, status }: OverLimit): Refusal {
  const whose = isAnonymous ? ' for requests without a valid key' : '';
  const message = isBanned
    ? `The API key is banned because it kept sending requests after ${status} responses. Try again in ${seconds} s.`
    : `The rate limit${whose} is exceeded. Try again in ${seconds} s.`;
  return refuse(isBanned ? 'banned' : 'rate_limited', message, {
    status,
    facts: { retryAfter: seconds },
  });
}

/** The statuses that an operation documents, without ranges. */
export function documentedStatuses(operation: Operation): ReadonlySet<number> {
  return new Set(operation.responses.map(({ status }) => Number(status)).filter(Number.isInteger));
}

/** An operation has a response for an item that is not there. */
export function documentsAbsence(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^(?:404|410|4XX)$/i.test(status));
}

/** True for a refusal among other values that a step may give. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal';
}
