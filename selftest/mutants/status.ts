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
  'created-400-beyond-double': [
    'An addition with a categoryId beyond 2^53 is refused as no safe integer, while any other category is taken.',
    turningAway(({ categoryId }) => isLarge(categoryId, 53n), 400),
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
const requiredToo = [stray404, ...requiredAt(fetched)] as const;
const [stranger] = seedPets(1);

function answer(body: Json): Change {
  return (response) => ({ ...response, status: 200, body });
}

const absentMutants: readonly Mutant[] = [
  ...listMutants('absent-', [stray404], strayReads(), {
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
    '403': ['An unknown id is answered 403.', failing(403)],
    '410': ['An unknown id is answered 410.', failing(410)],
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
  ...sometimesMutants,
  ...turnedAwayMutants,
  ...wholeListMutants,
  ...absentMutants,
];
