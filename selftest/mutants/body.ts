import {
  type Json,
  renderJson,
  isRecord,
  petStatuses,
  isRefusal,
  type Parts,
  plain,
} from '../service/service.ts';
import {
  changeBody,
  changeCategory,
  changeRecord,
  changeResponse,
  failOn,
  type Mutant,
  createMutants,
} from '../subject/subject.ts';

function isBeyondDouble(value: Json | undefined): boolean {
  return typeof value === 'bigint' && (value > 2n ** 53n || value < -(2n ** 53n));
}

/** Reads a status before it is checked; undefined is none. */
function readingStatus(read: (status: string) => string | undefined): Parts {
  return {
    validateNewPet: (body, all) => {
      if (!isRecord(body) || typeof body['status'] !== 'string')
        return plain.validateNewPet(body, all);
      const { status, ...others } = body;
      const changed = read(status);
      return plain.validateNewPet(
        changed === undefined ? others : { ...others, status: changed },
        all,
      );
    },
  };
}

/** A store without a schema keeps a number as it is. */
const keepingNumbersAsName: Parts = {
  validateNewPet: (body, all) => {
    const name = isRecord(body) ? body['name'] : undefined;
    if (!isRecord(body) || (typeof name !== 'bigint' && typeof name !== 'number'))
      return plain.validateNewPet(body, all);
    const checked = plain.validateNewPet({ ...body, name: '' }, all);
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
    'created-id-null-without-status': changeRecord('createPet 201', (pet) =>
      pet['status'] === undefined ? { ...pet, id: null } : pet,
    ),
    'created-in-data': [
      changeBody('createPet 201', (body) => ({ data: body })),
      'createPet/response.201.body.{id,name,categoryId}.required',
    ],
    'refused-in-error': [
      changeRecord('createPet 400', (error) => ({ error })),
      'createPet/response.400.body.{code,message,status}.required',
    ],
    'created-status-202': [
      changeResponse('createPet 201', (response) => ({ ...response, status: 202 })),
      'createPet/status.201',
    ],
    'created-name-null-not-ascii': [
      changeRecord('createPet 201', (pet) =>
        /[^\0-\x7f]/.test(renderJson(pet['name'] ?? null)) ? { ...pet, name: null } : pet,
      ),
      'createPet/response.201.body.name.type',
    ],
    'list-ids-after-tenth': [
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
      {
        checkCategoryId: (value) =>
          isBeyondDouble(value) ? 'categoryId is out of range.' : plain.checkCategoryId(value),
      },
      taken,
    ],
    'category-id-beyond-double-500': [
      failOn(({ categoryId }) => isBeyondDouble(categoryId)),
      fails,
    ],
    'category-id-zero-500': [failOn(({ categoryId }) => categoryId === 0n), fails],
    'category-id-double-everywhere': changeCategory('everywhere', (value) => {
      const double = BigInt(Number(value));
      return double < 2n ** 63n ? double : 2n ** 63n - 1n;
    }),
    'category-id-double-printed': [
      changeCategory('everywhere', (value) => BigInt(Number(value))),
      'createPet/state.echo.categoryId {listPets/response.200.body[],createPet/response.201.body,getPet/response.200.body}.categoryId.format',
    ],
    'category-id-32-bits-stored': [
      changeCategory('stored', (value) => BigInt.asIntN(32, value)),
      '{listPets,getPet}/state.read.categoryId',
    ],
  }),
  ...createMutants('createPet/request.body.status.values', {
    'name-number-kept': [
      keepingNumbersAsName,
      'createPet/request.body.name.type {listPets/response.200.body[],createPet/response.201.body,getPet/response.200.body}.name.type',
    ],
    'status-unknown-left-out': readingStatus((text) =>
      petStatuses.find((status) => status === text),
    ),
    'status-lower-cased': readingStatus((text) => text.toLowerCase()),
  }),
];
