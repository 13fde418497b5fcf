import {
  type Call,
  type Parts,
  type ServiceResponse,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { type Json, isRecord } from '../service/json.ts';
import { validateNewPet } from '../service/new-pet.ts';
import { presentPet, type NewPet } from '../service/pet.ts';
import { changeResponse } from '../subject/response-change.ts';
import { type Mutant, createMutant, createMutants, listMutants } from '../subject/mutant.ts';
import {
  created,
  fallen,
  fetched,
  isAt,
  listed,
  notFound,
  requiredAt,
  type Place,
} from '../subject/place.ts';

type Change = (response: ServiceResponse) => ServiceResponse;

function failing(status: number): Change {
  const body = { code: 'internal_error', message: 'The service failed.', status: BigInt(status) };
  return (response) => ({ ...response, status, body });
}

function redirect(location: string): Change {
  return ({ headers, status }) => ({
    status,
    body: undefined,
    headers: { ...headers, Location: location },
  });
}

const empty: Change = (response) => ({ ...response, body: undefined });

const same: Change = (response) => response;

/** Successes of a place with another status: what is said of it, and what else is changed. */
function successes(
  place: Place,
  rows: Readonly<Record<number, readonly [words: string, change?: Change]>>,
): readonly Mutant[] {
  return Object.entries(rows).map(([status, [words, change = same]]) =>
    createMutant(
      `${place.name}-status-${status}`,
      [`${place.operations[0]}/status.${place.status}`],
      `${words}: ${status} instead of ${place.status}.`,
      changeResponse(place, (response) => ({ ...change(response), status: Number(status) })),
    ),
  );
}

const successMutants: readonly Mutant[] = [
  ...successes(created, {
    200: ['An addition is answered with the default status of the framework'],
    202: ['An addition is answered as accepted, since it goes through a queue'],
    204: ['An addition is answered without a body', empty],
    302: ['An addition leads to the new pet, as forms do', redirect('/v1/pets/1')],
    307: ['An addition leads to the path with a slash at its end', redirect('/v1/pets/')],
    409: ['An addition is taken and answered as a conflict with itself', failing(409)],
  }),
  ...successes(listed, {
    202: ['A list is answered as accepted'],
    203: ['A list is marked as changed by a proxy'],
  }),
  ...successes(fetched, {
    201: ['A single pet has the status of an addition: the handler was copied'],
    203: ['A single pet is marked as changed by a proxy'],
    301: ['A single pet has moved to the path with a slash at its end', redirect('/v1/pets/1/')],
    304: ['A single pet is answered as not modified, though nobody asked so', empty],
    410: ['A single pet is gone: the operation was removed before its date', failing(410)],
    403: ['A single pet is forbidden to every key', failing(403)],
  }),
];

/** A success of an operation has another status where the body or the target is such. */
function failingAt(
  place: Place,
  fits: (body: Json | undefined, call: Call) => boolean,
  status = 500,
): Parts {
  return {
    render: (response, call) =>
      isAt(place, call, response.status) && fits(response.body, call)
        ? failing(status)(response)
        : response,
  };
}

/** An addition that keeps the contract is turned away before anything is stored. */
function turningAway(fits: (value: NewPet) => boolean, status = 500): Parts {
  return {
    validateNewPet: (body, all) => {
      const value = validateNewPet(body, all);
      return !isRefusal(value) && fits(value)
        ? createRefusal(status, 'turned_away', 'The pet could not be stored.')
        : value;
    },
  };
}

function isLarge(value: Json | undefined, bits: bigint): boolean {
  return typeof value === 'bigint' && (value >= 2n ** bits || value < -(2n ** bits));
}

const lacksStatus = (pet: Json): boolean => isRecord(pet) && pet['status'] === undefined;

const sometimesMutants = createMutants(['listPets/parameter.status.values'], {
  'list-500-longest': [
    'A list with limit=100 fails without a filter, though not with one: the query takes too long.',
    failingAt(listed, (_body, { target }) => target.endsWith('?limit=100')),
    ['listPets/status.200', fallen.list],
  ],
  'list-500-sold': [
    'A list of sold pets fails: the archive is not mounted.',
    failingAt(listed, (_body, { target }) => target.includes('status=sold')),
    ['listPets/parameter.status.values', fallen.list],
  ],
  'list-500-pending': [
    'A list of pending pets fails: one constant is spelt wrongly.',
    failingAt(listed, (_body, { target }) => target.includes('status=pending')),
    ['listPets/parameter.status.values', fallen.list],
  ],
  'list-500-default': [
    'A list without limit fails: the missing text is read as a number.',
    failingAt(listed, (_body, { target }) => !target.includes('limit=')),
    ['listPets/parameter.limit.default', fallen.list],
  ],
  'list-500-smallest': [
    'A list with limit=1 fails: the middle of one is taken.',
    failingAt(listed, (_body, { target }) => /limit=1(&|$)/.test(target)),
    ['listPets/parameter.limit.minimum', fallen.list],
  ],
  'single-500-large-category': [
    'A pet with a categoryId beyond 2^53 cannot be read.',
    failingAt(fetched, (body) => isRecord(body) && isLarge(body['categoryId'], 53n)),
    ['getPet/state.readable', fallen.single],
  ],
  'single-404-seeded': [
    'A pet that was there before the service started cannot be read: only the cache is looked at.',
    failingAt(
      fetched,
      (body) => isRecord(body) && typeof body['id'] === 'bigint' && body['id'] <= 8n,
      404,
    ),
    ['getPet/state.readable'],
  ],
});

const turnedAwayMutants = createMutants(['createPet/request.body.categoryId.taken'], {
  'created-500-minimal': [
    'An addition without a status fails: the missing member is read.',
    turningAway(({ status }) => status === undefined),
    ['createPet/request.body.status.optional', fallen.addition],
  ],
  'created-500-sold': [
    'An addition of a sold pet fails: a rule asks for its buyer.',
    turningAway(({ status }) => status === 'sold'),
    ['createPet/request.body.status.taken', fallen.addition],
  ],
  'created-500-beyond-int32': [
    'An addition with a categoryId beyond 32 bits fails: the column is too small.',
    turningAway(({ categoryId }) => isLarge(categoryId, 31n)),
    ['createPet/request.body.categoryId.taken', fallen.addition],
  ],
  'created-400-beyond-double': [
    'An addition with a categoryId beyond 2^53 is refused as no safe integer, while any other category is taken.',
    turningAway(({ categoryId }) => isLarge(categoryId, 53n), 400),
  ],
  'created-500-negative': [
    'An addition with a negative categoryId fails: the column is unsigned.',
    turningAway(({ categoryId }) => categoryId < 0n),
    ['createPet/request.body.categoryId.taken', fallen.addition],
  ],
  'created-500-zero': [
    'An addition with a categoryId of 0 fails: it counts as missing.',
    turningAway(({ categoryId }) => categoryId === 0n),
    ['createPet/request.body.categoryId.taken', fallen.addition],
  ],
});

const isEmpty = (body: Json | undefined): boolean => Array.isArray(body) && body.length === 0;

const wholeListMutants = createMutants(['listPets/status.200'], {
  'list-204-if-empty': [
    'A list without pets is answered without a body.',
    {
      seed: () => [],
      ...changeResponse(listed, (all) =>
        isEmpty(all.body) ? { ...empty(all), status: 204 } : all,
      ),
    },
  ],
  'list-404-if-empty': [
    'A list without pets is answered as not found.',
    { seed: () => [], ...failingAt(listed, isEmpty, 404) },
  ],
  'list-206-if-cut': [
    'A list that is full is answered 206, as partial content.',
    {
      render: (response, call) => {
        const asked = Number(/limit=(\d+)/.exec(call.target)?.[1] ?? 20);
        const isFull = Array.isArray(response.body) && response.body.length === asked;
        return isFull && isAt(listed, call, response.status)
          ? { ...response, status: 206 }
          : response;
      },
    },
  ],
  'list-500-without-status': [
    'A list fails as soon as it reaches a pet without a status; the first page of the default has older pets only.',
    {
      seed: () => seedPets(24),
      ...failingAt(listed, (body) => Array.isArray(body) && body.some(lacksStatus)),
    },
    ['listPets/status.200', fallen.list],
  ],
});

/** Reads of identifiers that no pet has are answered otherwise. */
const strayReads =
  (target = /\/\d+$/) =>
  (change: Change): Parts => ({
    render: (response, call) =>
      isAt(notFound, call, response.status) && target.test(call.target)
        ? change(response)
        : response,
  });

const stray404 = 'getPet/status.404';
const typeToo = [stray404, 'getPet/response.200.body.type'] as const;
const requiredToo = [stray404, ...requiredAt(fetched)] as const;
const [stranger] = seedPets(1);

function answer(body: Json): Change {
  return (response) => ({ ...response, status: 200, body });
}

const absentMutants: readonly Mutant[] = [
  ...listMutants('absent-', [stray404], strayReads(), {
    '200-null': ['An unknown id is answered 200 with null.', answer(null), typeToo],
    '200-empty-object': [
      'An unknown id is answered 200 with an empty object.',
      answer({}),
      requiredToo,
    ],
    '200-empty-array': ['An unknown id is answered 200 with an empty array.', answer([]), typeToo],
    '200-error': [
      'An unknown id is answered 200 with the error in the body.',
      (response) => ({ ...response, status: 200 }),
      [...requiredToo, 'getPet/response.200.body.status.type'],
    ],
    '200-another': [
      'An unknown id is answered with the first pet.',
      answer(stranger ? presentPet(stranger) : null),
    ],
    '204': ['An unknown id is answered 204.', (response) => ({ ...empty(response), status: 204 })],
    '302': [
      'An unknown id leads back to the list.',
      (response) => ({ ...redirect('/v1/pets')(response), status: 302 }),
    ],
    '400': ['An unknown id is answered 400.', failing(400)],
    '403': ['An unknown id is answered 403.', failing(403)],
    '410': ['An unknown id is answered 410.', failing(410)],
    '422': ['An unknown id is answered 422.', failing(422)],
    '500': ['An unknown id is answered 500.', failing(500), [stray404, fallen.single]],
  }),
  createMutant(
    'absent-500-beyond-int32',
    [stray404, fallen.single],
    'An unknown id beyond 32 bits is answered 500: the column is too small.',
    strayReads(/\d{11,}$/)(failing(500)),
  ),
  createMutant(
    'absent-400-beyond-double',
    [stray404],
    'An unknown id beyond 2^53 is answered 400, as no safe integer.',
    strayReads(/\d{17,19}$/)(failing(400)),
  ),
];

/** Valid requests without the documented status, and unknown identifiers without 404. */
export const statusMutants: readonly Mutant[] = [
  ...successMutants,
  ...sometimesMutants,
  ...turnedAwayMutants,
  ...wholeListMutants,
  ...absentMutants,
];
