import { isRefusal, type Parts } from '../../service/behaviour.ts';
import { replacePet } from '../../service/change.ts';
import { takeId } from '../../service/inventory.ts';
import { readNewPet } from '../../service/new-pet.ts';
import { isRecord } from '../../service/json.ts';
import { readBody } from '../../service/operations.ts';
import { presentPet, type NewPet, type Pet } from '../../service/pet.ts';
import { createMutants, listMutants, type Mutant } from '../../subject/mutant.ts';
import { put, throughDouble, wantedId, within } from './parts.ts';

type Replace = (old: Pet, sent: NewPet) => Pet;

const echo = (member: string) => `replacePet/state.echo.${member}`;

const kept = listMutants(
  'replace-',
  [echo('name')],
  (replace: Replace) => within('replacePet', { replace }),
  {
    'rounds-category': [
      'A replacement reads integers as doubles.',
      ({ id }, sent) => ({ ...sent, id, categoryId: throughDouble(sent.categoryId) }),
      [echo('categoryId')],
    ],
    'resets-status': [
      'A replaced pet is available, whatever was sent.',
      ({ id }, sent) => ({ ...sent, id, status: 'available' }),
      [echo('status')],
    ],
  },
);

const stored = createMutants(['replacePet/state.stored'], {
  'replace-stores-name-only': [
    'A replacement stores the name alone: the others are missing in the statement.',
    within('replacePet', {
      storeChange: (pet, call) => {
        const old = call.inventory.pets.get(pet.id);
        if (old) put({ ...old, name: pet.name }, call);
      },
    }),
  ],
  'replace-stores-rounded': [
    'A replacement is answered as it should be, and stored with a double as category.',
    within('replacePet', {
      storeChange: (pet, call) => put({ ...pet, categoryId: throughDouble(pet.categoryId) }, call),
    }),
  ],
});

const oldViews: readonly Mutant[] = [
  ...createMutants([echo('name'), echo('categoryId'), echo('status')], {
    'replace-answers-old': [
      'A replacement is answered with the pet as it was.',
      within('replacePet', { presentChanged: (_pet, _call, old) => presentPet(old) }),
    ],
  }),
  ...createMutants(
    ['getPet/state.read.name', 'getPet/state.read.categoryId', 'getPet/state.read.status'],
    {
      'single-cached': [
        'A single pet is answered as it was when it was added: nobody clears the cache.',
        cachedItems,
      ],
    },
  ),
  ...createMutants(
    [
      'listPets/state.read.name',
      'listPets/state.read.categoryId',
      'listPets/state.read.status',
      'listPets/parameter.status.filter',
    ],
    {
      'list-cached': ['Lists show pets as they were when they were added.', cachedLists],
    },
  ),
  ...createMutants(['listPets/parameter.status.filter'], {
    'filter-cached': [
      'A list with a status takes the status that a pet had when it was added.',
      cachedFilter,
    ],
  }),
];

/** Pets as they were added, by their identifiers. */
function remember(parts: (first: (pet: Pet) => Pet) => Parts): Parts {
  const seen = new Map<bigint, Pet>();
  const first = (pet: Pet): Pet => seen.get(pet.id) ?? pet;
  return {
    store: (pet, call) => {
      seen.set(pet.id, pet);
      put(pet, call);
    },
    ...parts(first),
  };
}

function cachedItems(): Parts {
  return remember((first) => ({ presentItem: (pet) => presentPet(first(pet)) }));
}

function cachedLists(): Parts {
  return remember((first) => ({ presentInList: (pet) => presentPet(first(pet)) }));
}

function cachedFilter(): Parts {
  return remember((first) => ({
    filter: (pets, status) => pets.filter((pet) => first(pet).status === status),
  }));
}

const identifiers = createMutants(['replacePet/state.id-kept'], {
  'replace-new-id': [
    'A replacement removes the pet and adds another with an identifier of its own.',
    within('replacePet', {
      replace: ({ id }, sent, { inventory }) => {
        inventory.pets.delete(id);
        return { ...sent, id: takeId(inventory) };
      },
    }),
  ],
});

const statuses: readonly Mutant[] = [
  ...createMutants(['replacePet/status.404'], {
    'replace-adds-absent': [
      'A replacement of a pet that is not there adds it.',
      {
        replacePet: async (call, all) => {
          const response = await replacePet(call, all);
          const body = readBody(call, all);
          if (response.status !== 404 || isRefusal(body) || !isRecord(body)) return response;
          const pet = { ...readNewPet(body), id: BigInt(wantedId(call)) };
          put(pet, call);
          return { ...response, status: 200, body: presentPet(pet) };
        },
      },
    ],
  }),
  ...createMutants(
    [
      'listPets/state.read.name',
      'getPet/state.read.name',
      'replacePet/state.not-written.401',
      'updatePet/state.stored',
      'updatePet/state.others-kept',
      'removePet/state.removed',
    ],
    {
      'replace-every-pet': [
        'A replacement changes the name of every pet: the statement lacks its condition.',
        within('replacePet', {
          storeChange: (pet, call) => {
            for (const each of call.inventory.pets.values()) put({ ...each, name: pet.name }, call);
            put(pet, call);
          },
        }),
      ],
    },
  ),
];

/** Pets that are not replaced as they were sent, or shown as they were before. */
export const replaceMutants: readonly Mutant[] = [
  ...kept,
  ...stored,
  ...oldViews,
  ...identifiers,
  ...statuses,
];
