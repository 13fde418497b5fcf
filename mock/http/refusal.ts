import { excerpt } from './excerpt.ts';

/**
 * Why a request was not served, as a word for machines. The default value of the error member
 * `code`.
 */
export type Reason = keyof typeof STATUSES;

/**
 * A response other than the wanted one. The pipeline renders it in the error shape of the document.
 */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reason: Reason;
  readonly status: number;
  /** For people: the true reason, with a JSON pointer where a value is at fault. */
  readonly message: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
}

/** The step of a request's way that refuses. */
export type Check =
  | 'http'
  | 'route'
  | 'rate-limit'
  | 'credential'
  | 'accept'
  | 'parameters'
  | 'content'
  | 'state'
  | 'fault'
  | 'preference';

/**
 * Every reason with its statuses (RFC 9110 section 15, RFC 6585): of several, the first that the
 * operation documents.
 */
const STATUSES = {
  malformed_request: [400],
  invalid_parameter: [400, 422],
  missing_body: [400, 422],
  malformed_body: [400, 422],
  invalid_body: [400, 422],
  unauthorized: [401],
  forbidden: [403],
  not_found: [404],
  unknown_path: [404],
  method_not_allowed: [405],
  not_acceptable: [406],
  request_timeout: [408],
  conflict: [409],
  body_too_large: [413],
  unsupported_media_type: [415],
  rate_limited: [429],
  banned: [429],
  headers_too_large: [431],
  internal_fault: [500],
  no_response_known: [501],
  injected_fault: [500],
  preferred: [400],
} as const satisfies Record<string, readonly number[]>;

/** The check that gives each reason. */
const CHECKS: Readonly<Record<Reason, Check>> = {
  malformed_request: 'http',
  request_timeout: 'http',
  headers_too_large: 'http',
  unknown_path: 'route',
  method_not_allowed: 'route',
  rate_limited: 'rate-limit',
  banned: 'rate-limit',
  unauthorized: 'credential',
  forbidden: 'credential',
  not_acceptable: 'accept',
  invalid_parameter: 'parameters',
  missing_body: 'content',
  malformed_body: 'content',
  invalid_body: 'content',
  body_too_large: 'content',
  unsupported_media_type: 'content',
  not_found: 'state',
  conflict: 'state',
  no_response_known: 'state',
  internal_fault: 'state',
  injected_fault: 'fault',
  preferred: 'preference',
};

/** The check that refuses for a reason. */
export function checkOf(reason: Reason): Check {
  return CHECKS[reason];
}

const NO_HEADERS: readonly string[] = [];

/**
 * Longer messages, which quote what was sent, are cut off: they stand in responses, and in journals
 * whose memory is bounded.
 */
const MAX_MESSAGE = 1000;

/**
 * A refusal for a reason of the table. `documented` are the statuses of the operation, `status` one
 * that an open question decided.
 */
export function refuse(
  reason: Reason,
  message: string,
  more: { headers?: readonly string[]; documented?: ReadonlySet<number>; status?: number } = {},
): Refusal {
  const statuses: readonly number[] = STATUSES[reason];
  const status =
    more.status ?? statuses.find((one) => more.documented?.has(one)) ?? statuses[0] ?? 400;
  return {
    kind: 'refusal',
    reason,
    status,
    message: excerpt(message, MAX_MESSAGE),
    headers: more.headers ?? NO_HEADERS,
  };
}

/** True for a refusal among other values that a step may give. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refusal';
}
