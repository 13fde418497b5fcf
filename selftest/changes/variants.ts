import {
  type Parts,
  type ServiceResponse,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { removePet, replacePet, updatePet } from '../service/change.ts';
import type { Call, ServiceBehaviour } from '../service/behaviour.ts';
import { type Json, isRecord } from '../service/json.ts';
import { presentPet, type Pet } from '../service/pet.ts';
import { createVariants, shared, type Variant } from '../subject/variant.ts';
import { put, within } from './mutants/parts.ts';

const open = 'The document says which status a change has and which pet it answers, and no more.';

/** Every response to a change or a removal, and what it has besides. */
function answering(change: (response: ServiceResponse, call: Call) => ServiceResponse): Parts {
  const also =
    (handle: typeof replacePet) =>
    async (call: Call, all: ServiceBehaviour): Promise<ServiceResponse> =>
      change(await handle(call, all), call);
  return { replacePet: also(replacePet), updatePet: also(updatePet), removePet: also(removePet) };
}

/** The body is checked before the pet is looked for. */
const bodyFirst: Parts = {
  replacePet: async (call, all) => {
    const body = all.parseBody(call.body);
    const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
    return isRefusal(sent)
      ? { status: sent.status, body: all.renderError(sent, call), headers: {} }
      : await replacePet(call, all);
  },
};

/** Refuses members that NewPet does not have, in changes alone. */
const strict = (body: Json | undefined): boolean =>
  isRecord(body) &&
  Object.keys(body).some((name) => !['name', 'categoryId', 'status'].includes(name));

function counting(): Parts {
  const versions = new Map<bigint, bigint>();
  const present = (pet: Pet): Json => ({ ...presentPet(pet), version: versions.get(pet.id) ?? 1n });
  return {
    storeChange: (pet, call) => {
      versions.set(pet.id, (versions.get(pet.id) ?? 1n) + 1n);
      put(pet, call);
    },
    presentItem: present,
    presentInList: present,
    presentCreated: present,
    presentChanged: present,
  };
}

/** Others add, change and remove pets of their own meanwhile. */
function neighbours(): Parts {
  return {
    arrive: (call) => {
      const { inventory, ordinal } = call;
      const id = 900_000n + BigInt(ordinal);
      put({ id, name: `other ${ordinal}`, categoryId: 1n, status: 'sold', rest: {} }, call);
      inventory.pets.delete(id - 3n);
      const first = inventory.pets.get(1n);
      if (first) put({ ...first, status: ordinal % 2 === 0 ? 'sold' : 'pending' }, call);
    },
  };
}

/** Habits of services that the document allows, and that no suite may fail. */
export const variants: readonly Variant[] = [
  ...shared(
    createVariants('valid', open, {
      neighbours: ['Others add, change and remove their own pets meanwhile.', neighbours],
    }),
  ),
  ...createVariants('valid', open, {
    plain: ['The service as it is.', {}],
    'put-keeps-left-out': [
      'A replacement without a status keeps the old one.',
      within('replacePet', {
        replace: (old, sent) => ({ ...sent, id: old.id, status: sent.status ?? old.status }),
      }),
    ],
    'put-default-status': [
      'A replacement without a status makes the pet available.',
      within('replacePet', {
        replace: ({ id }, sent) => ({ ...sent, id, status: sent.status ?? 'available' }),
      }),
    ],
    etag: [
      'Changes are answered with an entity tag and a location.',
      answering((response, { target }) => ({
        ...response,
        headers: {
          ...response.headers,
          ETag: '"abc"',
          'Content-Location': target,
          'Cache-Control': 'no-store',
        },
      })),
    ],
    'no-content-length': [
      'A 204 says that its length is 0.',
      answering((response) =>
        response.status === 204
          ? { ...response, headers: { ...response.headers, 'Content-Type': 'application/json' } }
          : response,
      ),
    ],
    'body-first': ['The body of a replacement is checked before the pet is looked for.', bodyFirst],
    versions: ['Pets have a version that goes up with each change.', counting],
    'changed-last': [
      'A changed pet moves to the end of the list.',
      {
        storeChange: (pet, call) => {
          call.inventory.pets.delete(pet.id);
          put(pet, call);
        },
        order: (pets) => pets,
      },
    ],
    'newest-first': [
      'Lists begin with the largest identifier.',
      { order: (pets) => pets.toSorted((a, b) => Number(b.id - a.id)) },
    ],
    'large-ids': [
      'Identifiers are large and not in turn.',
      () => {
        let last = 4_000_000_000_000_000_000n;
        return { assignId: () => (last += 1_000_003n) };
      },
    ],
    'category-must-exist': [
      'A change or an addition with a category that no pet has is refused.',
      {
        checkCategoryId: (value) =>
          value === 1n || value === 2n || value === 3n ? undefined : 'There is no such category.',
      },
    ],
    'strict-members': [
      'A body with another member than those of NewPet is refused.',
      { checkRest: (rest) => (strict(rest) ? 'There is another member.' : undefined) },
    ],
    'short-names': [
      'Names of more than 100 characters and control characters are refused.',
      {
        checkName: (value) =>
          typeof value !== 'string' || value.length > 100 || /\p{Cc}/u.test(value)
            ? 'name is not printable.'
            : undefined,
      },
    ],
    'absent-status': [
      'A pet is added without a status as available.',
      { acceptNewPet: (value) => ({ ...value, status: value.status ?? 'available', rest: {} }) },
    ],
    'identifiers-refused': [
      'An identifier that is no integer is answered 400.',
      {
        find: (id, call) => {
          const pet = /^-?\d{1,19}$/.test(id) ? call.inventory.pets.get(BigInt(id)) : undefined;
          const status = /^-?\d+$/.test(id) ? 404 : 400;
          return pet ?? createRefusal(status, 'none', 'There is none.');
        },
      },
    ],
    'many-pets': [
      'There are 300 pets, so that no list shows all.',
      {
        seed: () =>
          Array.from({ length: 300 }, (_, index) => ({
            id: BigInt(index + 1),
            name: `Pet ${index}`,
            categoryId: 1n,
            status: 'sold',
            rest: {},
          })),
      },
    ],
    empty: ['There is no pet at first.', { seed: () => [] }],
  }),
];
