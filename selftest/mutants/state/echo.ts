import type { Parts } from '../../service/behaviour.ts';
import { select } from '../../service/selection.ts';
import { type Pet, petStatuses, presentPet } from '../../service/pet.ts';
import { type Mutant, createMutants, createMutant } from '../../subject/mutant.ts';
import {
  type Change,
  type Place,
  changingPet,
  readRequirements,
} from '../../subject/pet-change.ts';
import type { Member } from '../../subject/reading.ts';

const places: readonly Place[] = ['everywhere', 'created', 'stored', 'list', 'item'];

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
  ...everyPlace('status-left-out', 'status', 'The status does not come back', (pet) => ({
    ...pet,
    status: undefined,
  })).map(withReads),
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
  ...mixtures(),
];

function everyPlace(
  id: string,
  member: Member,
  summary: string,
  change: Change,
): readonly Mutant[] {
  return places.map((place) => ({
    id: `${id}-${place}`,
    breaks: [
      ...readRequirements(member, place),
      ...(place === 'list' && member === 'status' ? ['listPets/parameter.status.filter'] : []),
    ],
    summary: `${summary} (${place}).`,
    behaviour: () => changingPet(place, change),
  }));
}

/** What is dropped on its way in is missing from every response, and from the filter too. */
function withReads(mutant: Mutant): Mutant {
  const reads = [
    'listPets/state.read.status',
    'getPet/state.read.status',
    'listPets/parameter.status.filter',
  ];
  return mutant.id.endsWith('-everywhere')
    ? { ...mutant, breaks: [...mutant.breaks, ...reads] }
    : mutant;
}

/** Pets without a status stay so: what that means is open. */
function nextOf({ status }: Pet): Pet['status'] {
  return status === undefined
    ? undefined
    : petStatuses[(petStatuses.indexOf(status) + 1) % petStatuses.length];
}

/** Members of one pet that end up on another one. */
function mixtures(): readonly Mutant[] {
  return createMutants(readRequirements('name', 'list'), {
    'list-names-shared': [
      'All pets of a list show the name of its last one: the loop fills one object.',
      { select: (...asked) => shareName(select(...asked)) },
    ],
    'list-categories-shifted': [
      'Each pet of a list shows the category of the one before it: two arrays are zipped that do not match.',
      { select: (...asked) => shiftCategories(select(...asked)) },
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
}

function shareName(pets: readonly Pet[]): readonly Pet[] {
  const last = pets.at(-1);
  return last ? pets.map((pet) => ({ ...pet, name: last.name })) : pets;
}

function shiftCategories(pets: readonly Pet[]): readonly Pet[] {
  return pets.map((pet, index) => ({
    ...pet,
    categoryId: pets[index - 1]?.categoryId ?? pet.categoryId,
  }));
}

function keepingFirstStatus(): Parts {
  let first: Pet['status'];
  return changingPet('stored', (pet) => {
    first ??= pet.status;
    return pet.status === undefined ? pet : { ...pet, status: first };
  });
}
