import type { Parts } from '../../service/behaviour.ts';
import { select } from '../../service/selection.ts';
import { type Pet, petStatuses, presentPet } from '../../service/pet.ts';
import { type Mutant, createMutants, createMutant } from '../../subject/mutant.ts';
import { changingPet, readRequirements } from '../../subject/pet-change.ts';

/** Pets without a status stay so: what that means is open. */
function nextOf({ status }: Pet): Pet['status'] {
  return status === undefined
    ? undefined
    : petStatuses[(petStatuses.indexOf(status) + 1) % petStatuses.length];
}

function altering(alter: (page: readonly Pet[]) => readonly Pet[]): Parts {
  return { select: (...asked) => alter(select(...asked)) };
}

/** Members of one pet that end up on another one. */
const mixtures = createMutants(readRequirements('name', 'list'), {
  'list-names-shared': [
    'All pets of a list show the name of its last one: the loop fills one object.',
    altering((page) => page.map((pet) => ({ ...pet, name: page.at(-1)?.name ?? pet.name }))),
  ],
  'list-categories-shifted': [
    'Each pet of a list shows the category of the one before it: two arrays are zipped that do not match.',
    altering((page) =>
      page.map((pet, index) => ({
        ...pet,
        categoryId: page[index - 1]?.categoryId ?? pet.categoryId,
      })),
    ),
    readRequirements('categoryId', 'list'),
  ],
  'item-name-of-last-added': [
    'A single read shows the name of the pet that was added last.',
    {
      presentItem: (pet, { inventory }) =>
        presentPet({ ...pet, name: [...inventory.pets.values()].at(-1)?.name ?? pet.name }),
    },
    ['getPet/state.read.name'],
  ],
  'stored-status-of-first': [
    'The status of the first addition is kept for all later ones that have one: a default that is overwritten.',
    keepingFirstStatus,
    readRequirements('status', 'stored'),
  ],
});

function keepingFirstStatus(): Parts {
  let first: Pet['status'];
  return changingPet('stored', (pet) => {
    first ??= pet.status;
    return pet.status === undefined ? pet : { ...pet, status: first };
  });
}

/** Members that come back as another value than was sent, or than was answered before. */
export const stateEchoMutants: readonly Mutant[] = [
  createMutant(
    'status-next-stored',
    readRequirements('status', 'stored'),
    'The status is stored as the next of the enumeration: its index is counted from 1.',
    changingPet('stored', (pet) => ({ ...pet, status: nextOf(pet) })),
  ),
  ...(['list', 'item'] as const).map((place) =>
    createMutant(
      `name-in-capitals-${place}`,
      readRequirements('name', place),
      `The name comes back in capitals (${place}).`,
      changingPet(place, (pet) => ({ ...pet, name: pet.name.toUpperCase() })),
    ),
  ),
  createMutant(
    'status-available-list',
    [...readRequirements('status', 'list'), 'listPets/parameter.status.filter'],
    'Lists show every status as available, the default of the column.',
    changingPet('list', (pet) => ({ ...pet, status: 'available' })),
  ),
  createMutant(
    'status-left-out-stored',
    readRequirements('status', 'stored'),
    'The status is not stored.',
    changingPet('stored', (pet) => ({ ...pet, status: undefined })),
  ),
  createMutant(
    'category-id-as-id-list',
    readRequirements('categoryId', 'list'),
    'Lists show the categoryId with the value of id, a copied line.',
    changingPet('list', (pet) => ({ ...pet, categoryId: pet.id })),
  ),
  ...mixtures,
];
