import { requirementId, type OpenQuestionKind } from '../../../contract/index.ts';
import { observed, unclear, type Finding } from '../trace/finding.ts';
import { forbiddenReadings } from '../trace/refusal.ts';
import type { Trace } from '../trace/trace.ts';
import { readDefaultValue } from './default-value.ts';
import { readErrorCode } from './error-code.ts';
import { readInvalidParameter } from './invalid-parameter.ts';
import { readOrder } from './order.ts';
import { readPaging } from './paging.ts';
import {
  readCountedRequests,
  readRateLimitBody,
  readRetryAfterFormat,
  readWindowKind,
} from './rate-limit.ts';
import type { Reader } from './reader.ts';
import { readReference } from './reference.ts';
import { readStatus } from './status.ts';
import { readMarks } from './marks.ts';
import { readStringLimits } from './string-limits.ts';
import { readTransitions } from './transitions.ts';
import {
  readUndescribedOperations,
  readUndescribedRequests,
  readVersioning,
} from './undescribed.ts';
import { readReadOnlyProperty, readUnknownProperties } from './unknown-properties.ts';

/** How each kind is read; undefined where no response of a run tells. */
export const readers: Readonly<Record<OpenQuestionKind, Reader | undefined>> = {
  accept: readStatus,
  'anonymous-callers': undefined,
  'ban-length': undefined,
  'counted-requests': readCountedRequests,
  'default-value': readDefaultValue,
  'error-code': readErrorCode,
  events: undefined,
  'invalid-parameter': readInvalidParameter,
  'invalid-path-parameter': readStatus,
  // Told by the status check, which sees all responses to the key.
  'key-issuance': undefined,
  'malformed-body': readStatus,
  marks: readMarks,
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
  transitions: readTransitions,
  'undescribed-operations': readUndescribedOperations,
  'undescribed-requests': readUndescribedRequests,
  'unknown-properties': readUnknownProperties,
  versioning: readVersioning,
  'window-kind': readWindowKind,
};

/** Why some kinds are not asked. */
export const whyNotAsked: Readonly<Partial<Record<OpenQuestionKind | 'unknown', string>>> = {
  'anonymous-callers': 'it is not asked: it would take many requests without a key',
  'ban-length': 'it is not asked: it would take requests over the limit on purpose',
  events: 'it is not asked: events go elsewhere than to who asks',
  'plan-assignment': 'it is not asked: it would take a second key',
  unknown: 'it is not asked: the suite does not know its kind',
};

/** Reads the choice of a target in each open question, as far as its responses tell. */
export function* observeQuestions(trace: Trace): Generator<Finding> {
  const forbidden = forbiddenReadings(trace);
  const readings = trace.readings.filter((reading) => !forbidden.has(reading));
  const within = { ...trace, readings };
  for (const question of trace.contract.openQuestions) {
    const read = question.kind === 'unknown' ? undefined : readers[question.kind];
    for (const { choice, exchange, evidence, isUnclear } of read?.(question, within) ?? []) {
      if (isUnclear === true) {
        yield unclear(requirementId.open(question.id), exchange, `not clear: ${evidence}`);
        continue;
      }
      const isListed = question.choices.some(({ id }) => id === choice);
      yield observed(question.id, isListed ? choice : undefined, exchange, evidence);
    }
  }
}
