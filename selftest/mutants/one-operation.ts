import { changeRecord, changeResponse, createMutant, without } from '../subject/response-change.ts';
import type { Mutant } from '../subject/mutant.ts';
import { requirementsAt, type Place } from '../subject/place.ts';

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const members = ['code', 'message', 'status'] as const;

/**
 * Refusals that one operation words for itself, since its route was written before the middleware
 * that the others share.
 */
const places: readonly Place[] = (['create', 'get'] as const).map((verb) => ({
  name: `unauthorized-${verb}`,
  words: `a 401 of ${verb}Pet`,
  status: 401,
  operations: [`${verb}Pet`],
  pet: 'body',
}));

const limited: readonly Place[] = (['create', 'get'] as const).map((verb) => ({
  name: `limited-${verb}`,
  words: `a 429 of ${verb}Pet`,
  status: 429,
  operations: [`${verb}Pet`],
  pet: 'body',
}));

function withoutHeader(place: Place, header: string): Mutant {
  const id = `${place.name}-without-${header.toLowerCase()}`;
  const change = changeResponse(place, (response) => ({
    ...response,
    headers: Object.fromEntries(
      Object.entries(response.headers).filter(([name]) => name !== header),
    ),
  }));
  return createMutant(
    id,
    requirementsAt(place, `header.${header}`),
    `${header} is missing in ${place.words} alone.`,
    change,
  );
}

function withoutMember(place: Place, member: string): Mutant {
  const change = changeRecord(place, (record) => without(record, member));
  return createMutant(
    `${place.name}-without-${member}`,
    requirementsAt(place, `body.${member}.required`),
    `${member} is missing in ${place.words} alone.`,
    change,
  );
}

function otherMember(place: Place, member: 'code' | 'message'): Mutant {
  const change = changeRecord(place, (record) => ({ ...record, [member]: 7n }));
  return createMutant(
    `${place.name}-${member}-number`,
    requirementsAt(place, `body.${member}.type`),
    `${member} is a number in ${place.words} alone.`,
    change,
  );
}

function otherStatus(place: Place): Mutant {
  const change = changeRecord(place, (record) => ({ ...record, status: 403n }));
  return createMutant(
    `${place.name}-status-403`,
    requirementsAt(place, 'body.status.values'),
    `The status in the body of ${place.words} is 403.`,
    change,
  );
}

function withoutBody(place: Place): Mutant {
  const change = changeResponse(place, (response) => ({
    ...response,
    headers: { ...response.headers, 'Content-Type': 'application/json' },
    body: undefined,
  }));
  return createMutant(
    `${place.name}-without-body`,
    requirementsAt(place, 'body'),
    `There is no body in ${place.words} alone.`,
    change,
  );
}

/**
 * Mutants of single operations where the others do well: a suite that looked at one of them only
 * would miss these.
 */
export const oneOperationMutants: readonly Mutant[] = [
  ...places.flatMap((place) => [
    ...limitHeaders.map((header) => withoutHeader(place, header)),
    ...members.map((member) => withoutMember(place, member)),
    otherMember(place, 'code'),
    otherMember(place, 'message'),
    otherStatus(place),
    withoutBody(place),
  ]),
  ...limited.flatMap((place) =>
    [...limitHeaders, 'Retry-After'].map((header): Mutant => ({
      ...withoutHeader(place, header),
      needs: 'exhaust',
    })),
  ),
];
