import { type Parts, isRefusal } from '../service/behaviour.ts';
import { replacePet } from '../service/change.ts';
import { seedPets } from '../service/inventory.ts';
import { readBody, refuse } from '../service/operations.ts';
import { presentPet } from '../service/pet.ts';
import { changeResponse, keep } from '../subject/alter.ts';
import { inChanges, within } from '../subject/change.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

/** The body is checked before the pet is looked for. */
const bodyFirst: Parts = {
  replacePet: async (call, all) => {
    const body = readBody(call, all);
    const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
    return isRefusal(sent) ? refuse(sent, call, all) : await replacePet(call, all);
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
  ...createVariants(
    open,
    { 'valid-neighbours': ['Others add, change and remove their own pets meanwhile.', neighbours] },
    { isShared: true },
  ),
  ...createVariants(open, {
    'valid-plain': ['The service as it is.', {}],
    'valid-put-keeps-left-out': [
      'A replacement without a status keeps the old one.',
      within('replacePet', {
        replace: (old, sent) => ({ ...sent, id: old.id, status: sent.status ?? old.status }),
      }),
    ],
    'valid-content-type-of-nothing': [
      'A 204 has a content type.',
      changeResponse('removePet 204', (response) => ({
        ...response,
        headers: { ...response.headers, 'Content-Type': 'application/json' },
      })),
    ],
    'valid-body-first': [
      'The body of a replacement is checked before the pet is looked for.',
      bodyFirst,
    ],
    'valid-versions': [
      'A changed pet is returned with its version.',
      { presentChanged: (pet, { ordinal }) => ({ ...presentPet(pet), version: BigInt(ordinal) }) },
    ],
    'valid-changed-last': [
      'A changed pet moves to the end of the list.',
      {
        store: (pet, call) => {
          call.inventory.pets.delete(pet.id);
          keep(pet, call);
        },
        order: (pets) => pets,
      },
    ],
    'valid-category-must-exist': [
      'A change or an addition with a category that no pet has is refused.',
      {
        checkCategoryId: (value) =>
          value === 1n || value === 2n || value === 3n ? undefined : 'There is no such category.',
      },
    ],
    'valid-strict-members': [
      'A body with another member than those of NewPet is refused.',
      { checkRest: (rest) => (Object.keys(rest).length > 0 ? 'A member is unknown.' : undefined) },
    ],
    'valid-many-pets': [
      'There are 300 pets, so that no list shows all.',
      { seed: () => seedPets(300) },
    ],
  }),
]);
