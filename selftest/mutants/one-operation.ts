import {
  changeRecord,
  changeResponse,
  changeHeaders,
  leaveOut,
} from '../subject/response-change.ts';
import { place, requirementsAt, type Place } from '../subject/place.ts';
import { type Mutant, createMutant, createMutants, needing } from '../subject/mutant.ts';
import { quotaHeaders } from './rate-limit/quota-header.ts';

/**
 * Refusals that one operation words for itself, since its route was written before the middleware
 * that the others share.
 */
const unauthorized = (['create', 'get'] as const).map((verb) =>
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

/** Errors whose members, or whole body, are missing or others. */
function bodies(at: Place): readonly Mutant[] {
  return [
    ...['code', 'message', 'status'].flatMap((name) =>
      createMutants(requirementsAt(at, `body.${name}.required`), {
        [`${at.name}-without-${name}`]: [
          `${name} is missing in ${at.words} alone.`,
          changeRecord(at, (error) => leaveOut(error, name)),
        ],
      }),
    ),
    ...['code', 'message'].flatMap((name) =>
      createMutants(requirementsAt(at, `body.${name}.type`), {
        [`${at.name}-${name}-number`]: [
          `${name} is a number in ${at.words} alone.`,
          changeRecord(at, (error) => ({ ...error, [name]: 7n })),
        ],
      }),
    ),
    ...createMutants(requirementsAt(at, 'body'), {
      [`${at.name}-status-403`]: [
        `The status in the body of ${at.words} is 403.`,
        changeRecord(at, (error) => ({ ...error, status: 403n })),
        requirementsAt(at, 'body.status.values'),
      ],
      [`${at.name}-without-body`]: [
        `There is no body in ${at.words} alone.`,
        changeResponse(at, ({ headers, status }) => ({
          status,
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: undefined,
        })),
      ],
    }),
  ];
}

/**
 * Mutants of single operations where the others do well: a suite that looked at one of them only
 * would miss these.
 */
export const oneOperationMutants: readonly Mutant[] = [
  ...unauthorized.flatMap((at) => [
    ...quotaHeaders.map((header) => withoutHeader(at, header)),
    ...bodies(at),
  ]),
  ...limited.flatMap((at) =>
    needing(
      'exhaust',
      [...quotaHeaders, 'Retry-After'].map((header) => withoutHeader(at, header)),
    ),
  ),
];
