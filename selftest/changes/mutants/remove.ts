import { createRefusal, isRefusal, type Parts } from '../../service/behaviour.ts';
import { removePet, replacePet, updatePet } from '../../service/change.ts';
import { presentPet, type Pet } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { createMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { put, wantedId, within } from './parts.ts';

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

const recycled = needing(
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
);

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
export const removeMutants: readonly Mutant[] = [...left, ...recycled, ...revived];
