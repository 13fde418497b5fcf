import {
  presentPet,
  seedPets,
  isRefusal,
  refuse,
  readBody,
  type Parts,
  plain,
} from '../service/service.ts';
import {
  changeResponse,
  keep,
  inChanges,
  within,
  type Variant,
  createVariants,
} from '../subject/subject.ts';

/** The body is checked before the pet is looked for. */
const bodyFirst: Parts = {
  replacePet: async (call, all) => {
    const body = readBody(call, all);
    const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
    return isRefusal(sent) ? refuse(sent, call, all) : await plain.replacePet(call, all);
  },
};

/** Others add, change and remove pets of their own meanwhile. */
const neighbours: Parts = {
  arrive: (call) => {
    const { inventory, ordinal } = call;
    const id = 900_000n + BigInt(ordinal);
    keep({ id, name: `other ${ordinal}`, categoryId: 1n, status: 'sold', rest: {} }, call);
    inventory.pets.delete(id - 3n);
    const first = inventory.pets.get(1n);
    if (first) keep({ ...first, status: ordinal % 2 === 0 ? 'sold' : 'pending' }, call);
  },
};

const open = 'The document says which status a change has and which pet it answers, and no more.';

/** Behaviour of services with changes that the document allows, and that the suite must not fail. */
export const changeVariants: readonly Variant[] = inChanges([
  ...createVariants(open, { 'valid-neighbours': neighbours }, { isShared: true }),
  ...createVariants(open, {
    'valid-plain': {},
    'valid-put-keeps-left-out': within('replacePet', {
      replace: (old, sent) => ({ ...sent, id: old.id, status: sent.status ?? old.status }),
    }),
    'valid-content-type-of-nothing': changeResponse('removePet 204', (response) => ({
      ...response,
      headers: { ...response.headers, 'Content-Type': 'application/json' },
    })),
    'valid-body-first': bodyFirst,
    'valid-versions': {
      presentChanged: (pet, { ordinal }) => ({ ...presentPet(pet), version: BigInt(ordinal) }),
    },
    'valid-changed-last': {
      store: (pet, call) => {
        call.inventory.pets.delete(pet.id);
        keep(pet, call);
      },
      order: (pets) => pets,
    },
    'valid-category-must-exist': {
      checkCategoryId: (value) =>
        value === 1n || value === 2n || value === 3n ? undefined : 'There is no such category.',
    },
    'valid-strict-members': {
      checkRest: (rest) => (Object.keys(rest).length > 0 ? 'A member is unknown.' : undefined),
    },
    'valid-many-pets': { seed: () => seedPets(300) },
  }),
]);
