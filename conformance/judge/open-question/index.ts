import type { OpenQuestionKind } from '../../../contract/index.ts';
import { observed, type Finding } from '../trace/finding.ts';
import { forbiddenReadings } from '../trace/refusal.ts';
import type { Trace } from '../trace/trace.ts';
import { readDefaultValue } from './default-value.ts';
import { readErrorCode } from './error-code.ts';
import { readInvalidParameter } from './invalid-parameter.ts';
import { readOrder } from './order.ts';
import { readPaging } from './paging.ts';
import { readRateLimitBody, readRetryAfterFormat } from './rate-limit.ts';
import type { Reader } from './reader.ts';
import { readReference } from './reference.ts';
import { readStatus } from './status.ts';
import { readStringLimits } from './string-limits.ts';
import { readReadOnlyProperty, readUnknownProperties } from './unknown-properties.ts';

/** How each kind is read; undefined where no response of a run tells. */
export const readers: Readonly<Record<OpenQuestionKind, Reader | undefined>> = {
  accept: readStatus,
  'ban-length': undefined,
  'counted-requests': undefined,
  'default-value': readDefaultValue,
  'error-code': readErrorCode,
  events: undefined,
  'invalid-parameter': readInvalidParameter,
  'invalid-path-parameter': readStatus,
  // Told by the status check, which sees all responses to the key.
  'key-issuance': undefined,
  'malformed-body': readStatus,
  marks: undefined,
  order: readOrder,
  'order-of-checks': readStatus,
  paging: readPaging,
  'plan-assignment': undefined,
  'rate-limit-body': readRateLimitBody,
  'read-only-property': readReadOnlyProperty,
  reference: readReference,
  'request-media-type': readStatus,
  'retry-after-format': readRetryAfterFormat,
  'string-limits': readStringLimits,
  transitions: undefined,
  'undescribed-operations': undefined,
  'undescribed-requests': readStatus,
  'unknown-properties': readUnknownProperties,
  versioning: undefined,
  'window-kind': undefined,
};

/** Reads the choice of a target in each open question, as far as its responses tell. */
export function* observeQuestions(trace: Trace): Generator<Finding> {
  const forbidden = forbiddenReadings(trace);
  const readings = trace.readings.filter((reading) => !forbidden.has(reading));
  const within = { ...trace, readings };
  for (const question of trace.contract.openQuestions) {
    const read = question.kind === 'unknown' ? undefined : readers[question.kind];
    for (const { choice, exchange, evidence } of read?.(question, within) ?? []) {
      const isListed = question.choices.some(({ id }) => id === choice);
      yield observed(question.id, isListed ? choice : undefined, exchange, evidence);
    }
  }
}
