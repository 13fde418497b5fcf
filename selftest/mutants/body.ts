import { isRefusal, type Parts } from '../service/behaviour.ts';
import { isRecord, type Json, renderJson } from '../service/json.ts';
import { checkCategoryId, validateNewPet } from '../service/new-pet.ts';
import { petStatuses } from '../service/pet.ts';
import {
  changeBody,
  changeCategory,
  changeRecord,
  changeResponse,
  failOn,
} from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

function isBeyondDouble(value: Json | undefined): boolean {
  return typeof value === 'bigint' && (value > 2n ** 53n || value < -(2n ** 53n));
}

/** Reads a status before it is checked; undefined is none. */
function readingStatus(read: (status: string) => string | undefined): Parts {
  return {
    validateNewPet: (body, all) => {
      if (!isRecord(body) || typeof body['status'] !== 'string') return validateNewPet(body, all);
      const { status, ...others } = body;
      const changed = read(status);
      return validateNewPet(changed === undefined ? others : { ...others, status: changed }, all);
    },
  };
}

/** A store without a schema keeps a number as it is. */
const keepingNumbersAsName: Parts = {
  validateNewPet: (body, all) => {
    const name = isRecord(body) ? body['name'] : undefined;
    if (!isRecord(body) || (typeof name !== 'bigint' && typeof name !== 'number'))
      return validateNewPet(body, all);
    const checked = validateNewPet({ ...body, name: '' }, all);
    return isRefusal(checked) ? checked : { ...checked, rest: { name } };
  },
  acceptNewPet: ({ rest: { name }, ...value }) => ({
    ...value,
    rest: name === undefined ? {} : { name },
  }),
};

const taken = 'createPet/request.body.categoryId.taken';
const fails = `${taken} createPet/robustness.no-server-error`;

/** Bodies that are wrong as a whole or for some values, and wrong ones that are accepted. */
export const bodyMutants: readonly Mutant[] = [
  ...createMutants('createPet/response.201.body.id.type', {
    'created-id-null-without-status': [
      'The id is null where no status is sent: that way of adding does not read the key back.',
      changeRecord('createPet 201', (pet) =>
        pet['status'] === undefined ? { ...pet, id: null } : pet,
      ),
    ],
    'created-in-data': [
      'In the response to an addition, the pet is in `data`.',
      changeBody('createPet 201', (body) => ({ data: body })),
      'createPet/response.201.body.{id,name,categoryId}.required',
    ],
    'refused-in-error': [
      'The body of a 400 has everything below `error`.',
      changeRecord('createPet 400', (error) => ({ error })),
      'createPet/response.400.body.{code,message,status}.required',
    ],
    'created-status-202': [
      'An addition is answered as accepted: 202 instead of 201.',
      changeResponse('createPet 201', (response) => ({ ...response, status: 202 })),
      'createPet/status.201',
    ],
    'created-name-null-not-ascii': [
      'In the response to an addition, a name beyond ASCII is null: the encoder gave up on it.',
      changeRecord('createPet 201', (pet) =>
        /[^\0-\x7f]/.test(renderJson(pet['name'] ?? null)) ? { ...pet, name: null } : pet,
      ),
      'createPet/response.201.body.name.type',
    ],
    'list-ids-after-tenth': [
      'A list has whole pets for the first ten only, and ids after them: a batch loader stops.',
      changeBody('listPets 200', (body) =>
        Array.isArray(body)
          ? body.map((pet: Json, at) => (at < 10 || !isRecord(pet) ? pet : (pet['id'] ?? null)))
          : body,
      ),
      'listPets/response.200.body[].type',
    ],
  }),
  ...createMutants('createPet/state.echo.categoryId', {
    'category-id-beyond-double-refused': [
      'A categoryId beyond 2^53 is refused.',
      {
        checkCategoryId: (value) =>
          isBeyondDouble(value) ? 'categoryId is out of range.' : checkCategoryId(value),
      },
      taken,
    ],
    'category-id-beyond-double-500': [
      'A categoryId beyond 2^53 is answered 500.',
      failOn(({ categoryId }) => isBeyondDouble(categoryId)),
      fails,
    ],
    'category-id-zero-500': [
      'A categoryId of 0, which is falsy, is answered 500.',
      failOn(({ categoryId }) => categoryId === 0n),
      fails,
    ],
    'category-id-double-everywhere': [
      'The categoryId goes through a double and back, limited to 64 bits.',
      changeCategory('everywhere', (value) => {
        const double = BigInt(Number(value));
        return double < 2n ** 63n ? double : 2n ** 63n - 1n;
      }),
    ],
    'category-id-double-printed': [
      'The categoryId is read as a double, so that the largest integer comes back as 2^63.',
      changeCategory('everywhere', (value) => BigInt(Number(value))),
      'createPet/state.echo.categoryId {listPets/response.200.body[],createPet/response.201.body,getPet/response.200.body}.categoryId.format',
    ],
    'category-id-32-bits-stored': [
      'The categoryId is stored in its lower 32 bits.',
      changeCategory('stored', (value) => BigInt.asIntN(32, value)),
      '{listPets,getPet}/state.read.categoryId',
    ],
  }),
  ...createMutants('createPet/request.body.status.values', {
    'name-number-kept': [
      'A number as name is stored as a number.',
      keepingNumbersAsName,
      'createPet/request.body.name.type {listPets/response.200.body[],createPet/response.201.body,getPet/response.200.body}.name.type',
    ],
    'status-unknown-left-out': [
      'An unknown status is treated as none.',
      readingStatus((text) => petStatuses.find((status) => status === text)),
    ],
    'status-lower-cased': [
      'A status in capitals is accepted in lower case.',
      readingStatus((text) => text.toLowerCase()),
    ],
  }),
];
