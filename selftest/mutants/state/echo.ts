import type { Parts } from '../../service/behaviour.ts';
import { select } from '../../service/selection.ts';
import { type Pet, petStatuses, presentPet } from '../../service/pet.ts';
import { type Mutant, createMutants, createMutant } from '../../subject/mutant.ts';
import {
  type Change,
  type Place,
  changingPet,
  places,
  readRequirements,
} from '../../subject/pet-change.ts';
import type { Member } from '../../subject/reading.ts';

const reads = ['listPets/state.read.status', 'getPet/state.read.status'];
const filter = 'listPets/parameter.status.filter';

function everyPlace(
  id: string,
  member: Member,
  summary: string,
  change: Change,
  wherever: readonly Place[] = places,
): readonly Mutant[] {
  return wherever.map((place) =>
    createMutant(
      `${id}-${place}`,
      [
        ...readRequirements(member, place),
        ...(place === 'list' && member === 'status' ? [filter] : []),
        // What is dropped on its way in is missing from every response, and from the filter too.
        ...(place === 'everywhere' && id === 'status-left-out' ? [...reads, filter] : []),
      ],
      `${summary} (${place}).`,
      changingPet(place, change),
    ),
  );
}

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
  ...everyPlace('name-in-capitals', 'name', 'The name comes back in capitals', (pet) => ({
    ...pet,
    name: pet.name.toUpperCase(),
  })),
  ...everyPlace(
    'category-id-one',
    'categoryId',
    'The categoryId comes back as that of the first category',
    (pet) => ({ ...pet, categoryId: 1n }),
  ),
  ...everyPlace(
    'status-available',
    'status',
    'The status comes back as available, the default of the column',
    (pet) => ({ ...pet, status: 'available' }),
  ),
  // Lists may leave it out.
  ...everyPlace(
    'status-left-out',
    'status',
    'The status does not come back',
    (pet) => ({ ...pet, status: undefined }),
    places.filter((place) => place !== 'list'),
  ),
  ...everyPlace(
    'status-next',
    'status',
    'The status comes back as the next of the enumeration: its index is counted from 1',
    (pet) => ({ ...pet, status: nextOf(pet) }),
  ),
  ...(['created', 'list', 'item'] as const).map((place) =>
    createMutant(
      `category-id-as-id-${place}`,
      readRequirements('categoryId', place),
      `The categoryId is answered with the value of id, a copied line (${place}).`,
      changingPet(place, (pet) => ({ ...pet, categoryId: pet.id })),
    ),
  ),
  ...mixtures,
];
