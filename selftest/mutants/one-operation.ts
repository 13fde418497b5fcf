import { changeRecord, changeReply, createFault, without } from '../subject/response-change.ts';
import type { Fault } from '../subject/mutant.ts';
import { obligationsAt, type Place } from '../subject/place.ts';

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const members = ['code', 'message', 'status'] as const;

/**
 * Refusals that one operation words for itself, since its route was written before the middleware
 * that the others share.
 */
const places: readonly Place[] = [
  {
    name: 'unauthorized-create',
    words: 'a 401 of createPet',
    status: 401,
    operations: ['createPet'],
    pet: 'body',
  },
  {
    name: 'unauthorized-get',
    words: 'a 401 of getPet',
    status: 401,
    operations: ['getPet'],
    pet: 'body',
  },
];

const limited: readonly Place[] = [
  {
    name: 'limited-create',
    words: 'a 429 of createPet',
    status: 429,
    operations: ['createPet'],
    pet: 'body',
  },
  {
    name: 'limited-get',
    words: 'a 429 of getPet',
    status: 429,
    operations: ['getPet'],
    pet: 'body',
  },
];

function withoutHeader(place: Place, header: string): Fault {
  const id = `${place.name}-without-${header.toLowerCase()}`;
  const change = changeReply(place, (reply) => ({
    ...reply,
    headers: Object.fromEntries(Object.entries(reply.headers).filter(([name]) => name !== header)),
  }));
  return createFault(
    id,
    obligationsAt(place, `header.${header}`),
    `${header} is missing in ${place.words} alone.`,
    change,
  );
}

function withoutMember(place: Place, member: string): Fault {
  const change = changeRecord(place, (record) => without(record, member));
  return createFault(
    `${place.name}-without-${member}`,
    obligationsAt(place, `body.${member}.required`),
    `${member} is missing in ${place.words} alone.`,
    change,
  );
}

function otherMember(place: Place, member: 'code' | 'message'): Fault {
  const change = changeRecord(place, (record) => ({ ...record, [member]: 7n }));
  return createFault(
    `${place.name}-${member}-number`,
    obligationsAt(place, `body.${member}.type`),
    `${member} is a number in ${place.words} alone.`,
    change,
  );
}

function otherStatus(place: Place): Fault {
  const change = changeRecord(place, (record) => ({ ...record, status: 403n }));
  return createFault(
    `${place.name}-status-403`,
    obligationsAt(place, 'body.status.values'),
    `The status in the body of ${place.words} is 403.`,
    change,
  );
}

function withoutBody(place: Place): Fault {
  const change = changeReply(place, (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'application/json' },
    body: undefined,
  }));
  return createFault(
    `${place.name}-without-body`,
    obligationsAt(place, 'body'),
    `There is no body in ${place.words} alone.`,
    change,
  );
}

/**
 * Faults of single operations where the others do well: a suite that looked at one of them only
 * would miss these.
 */
export const oneOperationFaults: readonly Fault[] = [
  ...places.flatMap((place) => [
    ...limitHeaders.map((header) => withoutHeader(place, header)),
    ...members.map((member) => withoutMember(place, member)),
    otherMember(place, 'code'),
    otherMember(place, 'message'),
    otherStatus(place),
    withoutBody(place),
  ]),
  ...limited.flatMap((place) =>
    [...limitHeaders, 'Retry-After'].map((header): Fault => ({
      ...withoutHeader(place, header),
      needs: 'exhaust',
    })),
  ),
];
