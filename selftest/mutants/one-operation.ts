import type { Json, JsonRecord } from '../service/json.ts';
import {
  changeRecord,
  changeResponse,
  changeHeaders,
  leaveOut,
} from '../subject/response-change.ts';
import { place, requirementsAt, type Place } from '../subject/place.ts';
import { createMutant, type Mutant } from '../subject/mutant.ts';

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/**
 * Refusals that one operation words for itself, since its route was written before the middleware
 * that the others share.
 */
const places = (['create', 'get'] as const).map((verb) =>
  place(`unauthorized-${verb}`, `a 401 of ${verb}Pet`, 401, `${verb}Pet`),
);
const limited = (['create', 'get'] as const).map((verb) =>
  place(`limited-${verb}`, `a 429 of ${verb}Pet`, 429, `${verb}Pet`),
);

function withoutHeader(at: Place, header: string): Mutant {
  return createMutant(
    `${at.name}-without-${header.toLowerCase()}`,
    requirementsAt(at, `header.${header}`),
    `${header} is missing in ${at.words} alone.`,
    changeHeaders(at, (headers) => leaveOut(headers, header)),
  );
}

/** Members that are missing or others, by what stands behind the name of the place in the id. */
function members(at: Place): readonly Mutant[] {
  const rows: readonly (readonly [string, string, string, (error: JsonRecord) => Json])[] = [
    ...(['code', 'message', 'status'] as const).map(
      (name) =>
        [
          `without-${name}`,
          `${name}.required`,
          `${name} is missing in ${at.words} alone.`,
          (error: JsonRecord) => leaveOut(error, name),
        ] as const,
    ),
    ...(['code', 'message'] as const).map(
      (name) =>
        [
          `${name}-number`,
          `${name}.type`,
          `${name} is a number in ${at.words} alone.`,
          (error: JsonRecord) => ({ ...error, [name]: 7n }),
        ] as const,
    ),
    [
      'status-403',
      'status.values',
      `The status in the body of ${at.words} is 403.`,
      (error) => ({ ...error, status: 403n }),
    ],
  ];
  return rows.map(([id, facet, summary, change]) =>
    createMutant(
      `${at.name}-${id}`,
      requirementsAt(at, `body.${facet}`),
      summary,
      changeRecord(at, change),
    ),
  );
}

function withoutBody(at: Place): Mutant {
  return createMutant(
    `${at.name}-without-body`,
    requirementsAt(at, 'body'),
    `There is no body in ${at.words} alone.`,
    changeResponse(at, ({ headers, status }) => ({
      status,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: undefined,
    })),
  );
}

/**
 * Mutants of single operations where the others do well: a suite that looked at one of them only
 * would miss these.
 */
export const oneOperationMutants: readonly Mutant[] = [
  ...places.flatMap((at) => [
    ...limitHeaders.map((header) => withoutHeader(at, header)),
    ...members(at),
    withoutBody(at),
  ]),
  ...limited.flatMap((at) =>
    [...limitHeaders, 'Retry-After'].map((header): Mutant => ({
      ...withoutHeader(at, header),
      needs: 'exhaust',
    })),
  ),
];
