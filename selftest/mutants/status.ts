import { createRefusal, isRefusal, type Call, type Reply } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { isRecord, type Json, type JsonRecord } from '../service/json.ts';
import { validateNewPet } from '../service/new-pet.ts';
import { presentPet, type NewPet } from '../service/pet.ts';
import { changeReply, createFault } from '../subject/response-change.ts';
import type { Fault } from '../subject/mutant.ts';
import { created, fetched, isAt, listed, notFound, type Place } from '../subject/place.ts';

const internal: JsonRecord = {
  code: 'internal_error',
  message: 'The service failed.',
  status: 500n,
};

/** An answer in the Error shape. */
function fail(reply: Reply, status: number): Reply {
  return { ...reply, status, body: { ...internal, status: BigInt(status) } };
}

/** Every success of an operation has another status. */
function success(
  place: Place,
  status: number,
  words: string,
  change: (reply: Reply) => Reply = (reply) => reply,
): Fault {
  const stages = changeReply(place, (reply) => ({ ...change(reply), status }));
  return createFault(
    `${place.name}-status-${status}`,
    [`${place.operations[0]}/status.${place.status}`],
    `${words}: ${status} instead of ${place.status}.`,
    stages,
  );
}

/** A redirect, without a body. */
function redirect(location: string): (reply: Reply) => Reply {
  return (reply) => ({
    ...reply,
    body: undefined,
    headers: { ...reply.headers, Location: location },
  });
}

function empty(reply: Reply): Reply {
  return { ...reply, body: undefined };
}

const successFaults: readonly Fault[] = [
  success(created, 200, 'An addition is answered with the default status of the framework'),
  success(created, 202, 'An addition is answered as accepted, since it goes through a queue'),
  success(created, 204, 'An addition is answered without a body', empty),
  success(created, 302, 'An addition leads to the new pet, as forms do', redirect('/v1/pets/1')),
  success(
    created,
    307,
    'An addition leads to the path with a slash at its end',
    redirect('/v1/pets/'),
  ),
  success(created, 409, 'An addition is taken and answered as a conflict with itself', (reply) =>
    fail(reply, 409),
  ),
  success(listed, 202, 'A list is answered as accepted'),
  success(listed, 203, 'A list is marked as changed by a proxy'),
  success(fetched, 201, 'A single pet has the status of an addition: the handler was copied'),
  success(fetched, 203, 'A single pet is marked as changed by a proxy'),
  success(
    fetched,
    301,
    'A single pet has moved to the path with a slash at its end',
    redirect('/v1/pets/1/'),
  ),
  success(fetched, 304, 'A single pet is answered as not modified, though nobody asked so', empty),
  success(
    fetched,
    410,
    'A single pet is gone: the operation was removed before its date',
    (reply) => fail(reply, 410),
  ),
  success(fetched, 403, 'A single pet is forbidden to every key', (reply) => fail(reply, 403)),
];

/** A success of an operation has another status where the body or the target is such. */
function sometimes(
  id: string,
  breaks: string,
  summary: string,
  place: Place,
  fits: (body: Json | undefined, call: Call) => boolean,
  status = 500,
): Fault {
  return createFault(id, [breaks], summary, {
    dress: (reply, call) =>
      isAt(place, call, reply.status) && fits(reply.body, call) ? fail(reply, status) : reply,
  });
}

/** An addition that keeps the contract is turned away before anything is stored. */
function turnedAway(
  id: string,
  facet: string,
  summary: string,
  fits: (value: NewPet) => boolean,
  status = 500,
): Fault {
  return createFault(id, [`createPet/request.body.${facet}`], summary, {
    validateNewPet: (body, all) => {
      const value = validateNewPet(body, all);
      return !isRefusal(value) && fits(value)
        ? createRefusal(status, 'turned_away', 'The pet could not be stored.')
        : value;
    },
  });
}

function isLarge(value: Json | undefined, bits: bigint): boolean {
  return typeof value === 'bigint' && (value >= 2n ** bits || value < -(2n ** bits));
}

function lacksStatus(pet: Json): boolean {
  return isRecord(pet) && pet['status'] === undefined;
}

const sometimesFaults: readonly Fault[] = [
  sometimes(
    'list-500-longest',
    'listPets/status.200',
    'A list with limit=100 fails without a filter, though not with one: the query takes too long.',
    listed,
    (_body, { target }) => target.endsWith('?limit=100'),
  ),
  sometimes(
    'list-500-sold',
    'listPets/parameter.status.values',
    'A list of sold pets fails: the archive is not mounted.',
    listed,
    (_body, { target }) => target.includes('status=sold'),
  ),
  sometimes(
    'list-500-pending',
    'listPets/parameter.status.values',
    'A list of pending pets fails: one constant is spelt wrongly.',
    listed,
    (_body, { target }) => target.includes('status=pending'),
  ),
  sometimes(
    'list-500-default',
    'listPets/parameter.limit.default',
    'A list without limit fails: the missing text is read as a number.',
    listed,
    (_body, { target }) => !target.includes('limit='),
  ),
  sometimes(
    'list-500-smallest',
    'listPets/parameter.limit.minimum',
    'A list with limit=1 fails: the middle of one is taken.',
    listed,
    (_body, { target }) => /limit=1(&|$)/.test(target),
  ),
  createFault(
    'list-500-without-status',
    ['listPets/status.200'],
    'A list fails as soon as it reaches a pet without a status; the first page of the default has older pets only.',
    {
      seed: () => seedPets(24),
      dress: (reply, call) =>
        isAt(listed, call, reply.status) &&
        Array.isArray(reply.body) &&
        reply.body.some(lacksStatus)
          ? fail(reply, 500)
          : reply,
    },
  ),
  sometimes(
    'single-500-large-category',
    'getPet/state.readable',
    'A pet with a categoryId beyond 2^53 cannot be read.',
    fetched,
    (body) => isRecord(body) && isLarge(body['categoryId'], 53n),
  ),
  sometimes(
    'single-404-seeded',
    'getPet/state.readable',
    'A pet that was there before the service started cannot be read: only the cache is looked at.',
    fetched,
    (body) => isRecord(body) && typeof body['id'] === 'bigint' && body['id'] <= 8n,
    404,
  ),
];

const turnedAwayFaults: readonly Fault[] = [
  turnedAway(
    'created-500-minimal',
    'status.optional',
    'An addition without a status fails: the missing member is read.',
    ({ status }) => status === undefined,
  ),
  turnedAway(
    'created-500-sold',
    'status.values',
    'An addition of a sold pet fails: a rule asks for its buyer.',
    ({ status }) => status === 'sold',
  ),
  turnedAway(
    'created-500-beyond-int32',
    'categoryId.format',
    'An addition with a categoryId beyond 32 bits fails: the column is too small.',
    ({ categoryId }) => isLarge(categoryId, 31n),
  ),
  turnedAway(
    'created-400-beyond-double',
    'categoryId.format',
    'An addition with a categoryId beyond 2^53 is refused as no safe integer, while any other category is taken.',
    ({ categoryId }) => isLarge(categoryId, 53n),
    400,
  ),
  turnedAway(
    'created-500-negative',
    'categoryId.format',
    'An addition with a negative categoryId fails: the column is unsigned.',
    ({ categoryId }) => categoryId < 0n,
  ),
  turnedAway(
    'created-500-zero',
    'categoryId.format',
    'An addition with a categoryId of 0 fails: it counts as missing.',
    ({ categoryId }) => categoryId === 0n,
  ),
];

const emptyListFaults: readonly Fault[] = [
  { status: 204, words: 'answered without a body' },
  { status: 404, words: 'answered as not found' },
].map(({ status, words }) =>
  createFault(
    `list-${status}-if-empty`,
    ['listPets/status.200'],
    `A list without pets is ${words}.`,
    {
      seed: () => [],
      ...changeReply(listed, (reply) =>
        Array.isArray(reply.body) && reply.body.length === 0
          ? { ...fail(reply, status), ...(status === 204 ? { body: undefined } : {}) }
          : reply,
      ),
    },
  ),
);

/** A list that does not hold all pets is answered as partial content. */
const partialFault = createFault(
  'list-206-if-cut',
  ['listPets/status.200'],
  'A list that is full is answered 206, as partial content.',
  {
    dress: (reply, call) => {
      const asked = Number(/limit=(\d+)/.exec(call.target)?.[1] ?? 20);
      return isAt(listed, call, reply.status) &&
        Array.isArray(reply.body) &&
        reply.body.length === asked
        ? { ...reply, status: 206 }
        : reply;
    },
  },
);

/** What an identifier gets that no pet has. */
function absent(
  id: string,
  summary: string,
  change: (reply: Reply) => Reply,
  further: readonly string[] = [],
): Fault {
  const inseparable = further.map((facet) => `getPet/response.200.body.${facet}`);
  return createFault(`absent-${id}`, ['getPet/status.404', ...inseparable], summary, {
    dress: (reply, call) =>
      isAt(notFound, call, reply.status) && /\/\d+$/.test(call.target) ? change(reply) : reply,
  });
}

const required = ['id.required', 'name.required', 'categoryId.required'];
const [stranger] = seedPets(1);

const absentFaults: readonly Fault[] = [
  absent(
    '200-null',
    'An unknown id is answered 200 with null.',
    (reply) => ({ ...reply, status: 200, body: null }),
    ['type'],
  ),
  absent(
    '200-empty-object',
    'An unknown id is answered 200 with an empty object.',
    (reply) => ({ ...reply, status: 200, body: {} }),
    required,
  ),
  absent(
    '200-empty-array',
    'An unknown id is answered 200 with an empty array.',
    (reply) => ({ ...reply, status: 200, body: [] }),
    ['type'],
  ),
  absent(
    '200-error',
    'An unknown id is answered 200 with the error in the body.',
    (reply) => ({ ...reply, status: 200 }),
    [...required, 'status.type'],
  ),
  absent('200-another', 'An unknown id is answered with the first pet.', (reply) => ({
    ...reply,
    status: 200,
    body: stranger ? presentPet(stranger) : null,
  })),
  absent('204', 'An unknown id is answered 204.', (reply) => ({ ...empty(reply), status: 204 })),
  absent('302', 'An unknown id leads back to the list.', (reply) => ({
    ...redirect('/v1/pets')(reply),
    status: 302,
  })),
  ...[400, 403, 410, 422, 500].map((status) =>
    absent(String(status), `An unknown id is answered ${status}.`, (reply) => fail(reply, status)),
  ),
  createFault(
    'absent-500-beyond-int32',
    ['getPet/status.404'],
    'An unknown id beyond 32 bits is answered 500: the column is too small.',
    {
      dress: (reply, call) =>
        isAt(notFound, call, reply.status) && /\d{11,}$/.test(call.target)
          ? fail(reply, 500)
          : reply,
    },
  ),
  createFault(
    'absent-400-beyond-double',
    ['getPet/status.404'],
    'An unknown id beyond 2^53 is answered 400, as no safe integer.',
    {
      dress: (reply, call) =>
        isAt(notFound, call, reply.status) && /\d{17,19}$/.test(call.target)
          ? fail(reply, 400)
          : reply,
    },
  ),
];

/**
 * Requests that keep the contract and do not get the promised status, and unknown identifiers that
 * do not get 404.
 */
export const statusFaults: readonly Fault[] = [
  ...successFaults,
  ...sometimesFaults,
  ...turnedAwayFaults,
  ...emptyListFaults,
  partialFault,
  ...absentFaults,
];
