import { createRefusal, isRefusal, type Parts } from '../../service/behaviour.ts';
import { removePet, replacePet, updatePet } from '../../service/change.ts';
import { presentPet, type Pet } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { changeResponse } from '../../subject/response-change.ts';
import { createMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { put, removed, wantedId, within } from './parts.ts';

const gone = ['removePet/state.removed', 'removePet/status.404'] as const;

/** The pets that were removed stay in one of the views. */
function hiding(parts: (hidden: ReadonlySet<bigint>) => Parts): Parts {
  const hidden = new Set<bigint>();
  const isHidden = (id: string): boolean => [...hidden].some((each) => String(each) === id);
  return {
    removePet: async (call, all) => {
      const first = find(wantedId(call), call);
      if (isHidden(wantedId(call)) || isRefusal(first))
        return await removePet(call, {
          ...all,
          find: () => createRefusal(404, 'not_found', 'No.'),
        });
      hidden.add(first.id);
      return await removePet(call, { ...all, remove: () => undefined });
    },
    ...parts(hidden),
  };
}

function shown(pets: readonly Pet[], hidden: ReadonlySet<bigint>): readonly Pet[] {
  return pets.filter(({ id }) => !hidden.has(id));
}

const left = createMutants(gone, {
  'remove-keeps': [
    'A removal is answered as it should be, and the pet stays.',
    within('removePet', { remove: () => undefined }),
  ],
  'remove-another': [
    'A removal removes the first pet instead of the one that was asked for.',
    within('removePet', {
      remove: (_pet, { inventory }) => {
        const [first] = inventory.pets.keys();
        if (first !== undefined) inventory.pets.delete(first);
      },
    }),
    [
      ...gone,
      'listPets/parameter.limit.filled',
      'listPets/parameter.status.filter',
      'listPets/parameter.limit.default',
    ],
  ],
  'remove-from-single-only': [
    'A pet that was removed cannot be fetched, but lists still show it.',
    () =>
      hiding((hidden) => ({
        getPet: async (call, all) => {
          const pet = find(wantedId(call), call);
          const lost = isRefusal(pet) || hidden.has(pet.id);
          const { getPet } = await import('../../service/operations.ts');
          return await getPet(
            call,
            lost ? { ...all, find: () => createRefusal(404, 'not_found', 'No.') } : all,
          );
        },
      })),
    ['removePet/state.removed'],
  ],
  'remove-from-list-only': [
    'A pet that was removed is in no list, but it can be fetched.',
    () =>
      hiding((hidden) => ({
        order: (pets) =>
          shown(
            pets.toSorted((a, b) => Number(a.id - b.id)),
            hidden,
          ),
      })),
    ['getPet/status.404'],
  ],
  'remove-undone': [
    'A pet that was removed is there again after a while: the replica brings it back.',
    returning,
    ['removePet/state.removed', 'getPet/status.404'],
  ],
  'remove-neighbour-too': [
    'A removal removes the pet after it too.',
    within('removePet', {
      remove: ({ id }, { inventory }) => {
        inventory.pets.delete(id);
        inventory.pets.delete(id + 1n);
      },
    }),
    ['removePet/state.others-kept'],
  ],
});

function returning(): Parts {
  const lost: { pet: Pet; at: number }[] = [];
  return {
    arrive: (call) => {
      for (const { pet, at } of lost) if (call.ordinal > at + 8) put(pet, call);
    },
    remove: (pet, { inventory, ordinal }) => {
      lost.push({ pet, at: ordinal });
      inventory.pets.delete(pet.id);
    },
  };
}

const statuses: readonly Mutant[] = [
  ...createMutants(['removePet/status.204'], {
    'remove-200': [
      'A removal is answered 200 with null.',
      changeResponse(removed, (all) => ({ ...all, status: 200, body: null })),
    ],
    'remove-404': [
      'A removal is answered as if nothing had been there.',
      changeResponse(removed, (all) => ({
        ...all,
        status: 404,
        body: { code: 'not_found', message: 'No.', status: 404n },
      })),
    ],
    'remove-302': [
      'A removal leads back to the list.',
      changeResponse(removed, (all) => ({
        ...all,
        status: 302,
        headers: { ...all.headers, Location: '/v1/pets' },
      })),
    ],
  }),
  ...createMutants(['removePet/status.404'], {
    'remove-absent-204': [
      'A removal of a pet that is not there is answered as done.',
      changeAbsent((all) => ({ ...all, status: 204, body: undefined })),
    ],
    'remove-absent-500': [
      'A removal of a pet that is not there brings the handler down.',
      within('removePet', {
        find: (id, call) => {
          const pet = find(id, call);
          if (isRefusal(pet)) throw new TypeError('undefined has no members');
          return pet;
        },
      }),
      ['removePet/status.404', 'removePet/robustness.no-server-error'],
    ],
    'remove-absent-401': [
      'A removal of a pet that is not there is answered as if the key were wrong.',
      changeAbsent((all) => ({
        ...all,
        status: 401,
        body: { code: 'no', message: 'No.', status: 401n },
      })),
    ],
  }),
  ...createMutants(['getPet/status.404'], {
    'single-removed-410': ['A single pet that was removed is answered 410.', goneAfterwards],
  }),
  ...needing(
    'more',
    createMutants(['createPet/state.id-fresh'], {
      'remove-recycles-id': [
        'The identifier of the last pet is given again after it was removed.',
        {
          assignId: (_value, { inventory }) =>
            [...inventory.pets.keys()].reduce((most, id) => (id > most ? id : most), 0n) + 1n,
        },
      ],
    }),
  ),
];

function changeAbsent(change: Parameters<typeof changeResponse>[1]): Parts {
  return changeResponse({ ...removed, status: 404 }, change);
}

function goneAfterwards(): Parts {
  const ids = new Set<string>();
  return {
    remove: ({ id }, { inventory }) => {
      ids.add(String(id));
      inventory.pets.delete(id);
    },
    find: (id, call) =>
      ids.has(id) && call.method === 'GET'
        ? createRefusal(410, 'gone', 'It was removed.')
        : find(id, call),
  };
}

/** Pets that were removed, as a store without foreign keys still has them. */
function archived(change: (archive: ReadonlyMap<string, Pet>) => Parts): () => Parts {
  return () => {
    const archive = new Map<string, Pet>();
    return {
      remove: (pet, { inventory }) => {
        archive.set(String(pet.id), pet);
        inventory.pets.delete(pet.id);
      },
      ...change(archive),
    };
  };
}

const revived = needing(
  'more',
  createMutants(['replacePet/status.404', 'removePet/state.removed', 'updatePet/status.404'], {
    'replace-revives': [
      'A replacement of a pet that was removed brings it back.',
      archived((archive) => ({
        replacePet: async (call, all) => {
          const old = archive.get(wantedId(call));
          if (old !== undefined) put(old, call);
          return await replacePet(call, all);
        },
      })),
    ],
    'update-answers-removed': [
      'An update of a pet that was removed is answered with that pet.',
      archived((archive) => ({
        updatePet: async (call, all) => {
          const old = archive.get(wantedId(call));
          return old === undefined
            ? await updatePet(call, all)
            : { status: 200, body: presentPet(old), headers: {} };
        },
      })),
      ['updatePet/status.404'],
    ],
  }),
);

/** Pets that are not removed, not everywhere, not alone, or not for good. */
export const removeMutants: readonly Mutant[] = [...left, ...statuses, ...revived];
