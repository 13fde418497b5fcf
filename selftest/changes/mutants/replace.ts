import { createRefusal, isRefusal, type Parts } from '../../service/behaviour.ts';
import { replacePet } from '../../service/change.ts';
import { takeId } from '../../service/inventory.ts';
import { readNewPet } from '../../service/new-pet.ts';
import { isRecord } from '../../service/json.ts';
import { readBody } from '../../service/operations.ts';
import { presentPet, type NewPet, type Pet } from '../../service/pet.ts';
import { changeResponse } from '../../subject/response-change.ts';
import { createMutants, listMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { put, replaced, throughDouble, wantedId, within } from './parts.ts';

type Replace = (old: Pet, sent: NewPet) => Pet;

const echo = (member: string) => `replacePet/state.echo.${member}`;

const kept = listMutants(
  'replace-',
  [echo('name')],
  (replace: Replace) => within('replacePet', { replace }),
  {
    'ignores-name': [
      'A replacement keeps the old name.',
      ({ name, id }, sent) => ({ ...sent, id, name }),
    ],
    'ignores-category': [
      'A replacement keeps the old category.',
      ({ categoryId, id }, sent) => ({ ...sent, id, categoryId }),
      [echo('categoryId')],
    ],
    'ignores-status': [
      'A replacement keeps the old status.',
      ({ status, id }, sent) => ({ ...sent, id, status }),
      [echo('status')],
    ],
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
    'adds-to-name': [
      'A replacement puts the new name behind the old one.',
      (old, sent) => ({ ...sent, id: old.id, name: `${old.name} ${sent.name}` }),
    ],
  },
);

const stored = createMutants(['replacePet/state.stored'], {
  'replace-stores-nothing': [
    'A replacement is answered as it should be, and not stored.',
    within('replacePet', { storeChange: () => undefined }),
  ],
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
  'replace-loses-pet': [
    'A replacement removes the pet and fails to add the new one.',
    within('replacePet', {
      storeChange: ({ id }, { inventory }) => void inventory.pets.delete(id),
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
  'replace-answers-next-id': [
    'A replacement answers the identifier after the one it was sent to.',
    within('replacePet', { presentChanged: (pet) => presentPet({ ...pet, id: pet.id + 1n }) }),
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
    'replace-absent-400': [
      'A replacement of a pet that is not there is answered as an invalid one.',
      within('replacePet', {
        find: (_id, call) =>
          call.inventory.pets.get(BigInt(wantedId(call))) ??
          createRefusal(400, 'invalid', 'There is none.'),
      }),
    ],
    'replace-absent-500': [
      'A replacement of a pet that is not there brings the handler down.',
      within('replacePet', {
        find: (_id, call) => {
          const pet = call.inventory.pets.get(BigInt(wantedId(call)));
          if (pet === undefined) throw new TypeError('undefined has no members');
          return pet;
        },
      }),
      ['replacePet/status.404', 'replacePet/robustness.no-server-error'],
    ],
  }),
  ...createMutants(['replacePet/status.200'], {
    'replace-201': [
      'A replacement is answered as an addition.',
      changeResponse(replaced, (all) => ({ ...all, status: 201 })),
    ],
    'replace-204': [
      'A replacement is answered without a body.',
      changeResponse(replaced, (all) => ({ ...all, status: 204, body: undefined })),
    ],
    'replace-405': [
      'A replacement is not served.',
      changeResponse(replaced, (all) => ({
        ...all,
        status: 405,
        body: { code: 'no', message: 'No.', status: 405n },
      })),
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

/** Valid replacements that bring the service down, and texts that are stored otherwise. */
const hard: readonly Mutant[] = [
  ...needing(
    'more',
    createMutants(
      ['replacePet/request.body.categoryId.taken', 'replacePet/robustness.no-server-error'],
      {
        'replace-500-negative': [
          'A replacement with a negative category fails: the column is unsigned.',
          within('replacePet', {
            replace: ({ id }, sent) => {
              if (sent.categoryId < 0n) throw new RangeError('out of range');
              return { ...sent, id };
            },
          }),
        ],
      },
    ),
  ),
  ...createMutants([echo('name')], {
    'replace-loses-accents': [
      'A replacement stores what is not ASCII as question marks.',
      within('replacePet', {
        replace: ({ id }, sent) => ({ ...sent, id, name: sent.name.replaceAll(/[^ -~]/g, '?') }),
      }),
    ],
  }),
];

/** Pets that are not replaced as they were sent, or shown as they were before. */
export const replaceMutants: readonly Mutant[] = [
  ...kept,
  ...stored,
  ...oldViews,
  ...identifiers,
  ...statuses,
  ...hard,
];
