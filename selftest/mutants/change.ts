import { type Parts, createRefusal, isRefusal } from '../service/behaviour.ts';
import { removePet, replacePet } from '../service/change.ts';
import { isRecord } from '../service/json.ts';
import { readNewPet } from '../service/new-pet.ts';
import { getPet, petIdOf, readBody } from '../service/operations.ts';
import { type Pet, presentPet } from '../service/pet.ts';
import { orderById } from '../service/selection.ts';
import { keep } from '../subject/alter.ts';
import { inChanges, within } from '../subject/change.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';
import { rewriteAll, sharing } from './concurrency.ts';

const none = createRefusal(404, 'not_found', 'No pet has this identifier.');

/** Pets that were removed stay in the inventory; some view hides them. */
function hiding(parts: (isHidden: (id: string) => boolean) => Parts): Parts {
  const hidden = new Set<string>();
  return {
    removePet: async (call, all) => {
      const id = petIdOf(call);
      const isHidden = hidden.has(id);
      hidden.add(id);
      return await removePet(call, {
        ...all,
        ...(isHidden ? { find: () => none } : {}),
        remove: () => undefined,
      });
    },
    ...parts((id) => hidden.has(id)),
  };
}

/** Pets as they were added, by their identifiers. */
function remembering(parts: (first: (pet: Pet) => Pet) => Parts): Parts {
  const seen = new Map<bigint, Pet>();
  return {
    store: (pet, call) => {
      if (!seen.has(pet.id)) seen.set(pet.id, pet);
      keep(pet, call);
    },
    ...parts((pet) => seen.get(pet.id) ?? pet),
  };
}

function returning(): Parts {
  const lost: { readonly pet: Pet; readonly at: number }[] = [];
  return {
    arrive: (call) => {
      for (const { pet, at } of lost) if (call.ordinal > at + 8) keep(pet, call);
    },
    remove: (pet, { inventory, ordinal }) => {
      lost.push({ pet, at: ordinal });
      inventory.pets.delete(pet.id);
    },
  };
}

function reviving(): Parts {
  const archive = new Map<string, Pet>();
  return {
    remove: (pet, { inventory }) => {
      archive.set(String(pet.id), pet);
      inventory.pets.delete(pet.id);
    },
    replacePet: async (call, all) => {
      const old = archive.get(petIdOf(call));
      if (old !== undefined) keep(old, call);
      return await replacePet(call, all);
    },
  };
}

const addingAbsent: Parts = {
  replacePet: async (call, all) => {
    const response = await replacePet(call, all);
    const body = readBody(call, all);
    if (response.status !== 404 || isRefusal(body) || !isRecord(body)) return response;
    const pet = { ...readNewPet(body), id: BigInt(petIdOf(call)) };
    keep(pet, call);
    return { ...response, status: 200, body: presentPet(pet) };
  },
};

const removed = 'removePet/state.removed';

/** Pets that are not replaced, updated or removed as they should be. */
export const changeMutants: readonly Mutant[] = inChanges([
  ...createMutants('replacePet/state.stored', {
    'replace-stores-name-only': [
      'A replacement stores the name alone: the others are missing in the statement.',
      within('replacePet', {
        store: ({ id, name }, call) => {
          const old = call.inventory.pets.get(id);
          if (old) keep({ ...old, name }, call);
        },
      }),
    ],
    'replace-adds-absent': [
      'A replacement of a pet that does not exist adds it.',
      addingAbsent,
      'replacePet/status.404',
    ],
    'replace-every-pet': [
      'A replacement changes the name of every pet: the statement lacks its condition.',
      within('replacePet', {
        store: (pet, call) => {
          for (const each of call.inventory.pets.values()) keep({ ...each, name: pet.name }, call);
          keep(pet, call);
        },
      }),
      '{listPets,getPet}/state.read.name replacePet/state.not-written.401 updatePet/state.{stored,others-kept} removePet/state.removed',
    ],
    'single-cached': [
      'A single pet is returned as it was when it was added: nobody clears the cache.',
      () => remembering((first) => ({ presentItem: (pet) => presentPet(first(pet)) })),
      'getPet/state.read.{name,categoryId,status}',
    ],
    'list-cached': [
      'Lists show pets as they were when they were added.',
      () => remembering((first) => ({ presentInList: (pet) => presentPet(first(pet)) })),
      'listPets/state.read.{name,categoryId,status} listPets/parameter.status.filter',
    ],
    'filter-cached': [
      'A list with a status uses the status that a pet had when it was added.',
      () =>
        remembering((first) => ({
          filter: (pets, status) => pets.filter((pet) => first(pet).status === status),
        })),
      'listPets/parameter.status.filter',
    ],
  }),
  ...createMutants('updatePet/state.others-kept', {
    'update-wipes-others': [
      'An update resets every member that is not sent: it is a replacement in disguise.',
      within('updatePet', {
        merge: ({ id, name, rest }, sent) => ({
          id,
          name,
          rest,
          categoryId: 0n,
          status: undefined,
          ...sent,
        }),
      }),
    ],
    'update-default-status': [
      'An update without a status makes the pet pending, as if it were added.',
      within('updatePet', { merge: (old, sent) => ({ ...old, status: 'pending', ...sent }) }),
    ],
  }),
  ...createMutants(removed, {
    'remove-from-single-only': [
      'A removed pet cannot be fetched, but lists still show it.',
      () =>
        hiding((isHidden) => ({
          getPet: async (call, all) =>
            await getPet(call, isHidden(petIdOf(call)) ? { ...all, find: () => none } : all),
        })),
    ],
    'remove-from-list-only': [
      'A removed pet is in no list, but it can be fetched.',
      () =>
        hiding((isHidden) => ({
          order: (pets) => orderById(pets).filter(({ id }) => !isHidden(String(id))),
        })),
      'getPet/status.404',
    ],
    'remove-undone': [
      'A removed pet is back after a while: the replica restores it.',
      returning,
      `${removed} getPet/status.404`,
    ],
    'remove-neighbour-too': [
      'A removal removes the pet after it too.',
      {
        remove: ({ id }, { inventory }) => {
          inventory.pets.delete(id);
          inventory.pets.delete(id + 1n);
        },
      },
      'removePet/state.others-kept',
    ],
  }),
  ...createMutants(
    'replacePet/concurrency.stored',
    {
      'update-ignores-zero': [
        'An update treats a category of 0 as none.',
        within('updatePet', {
          merge: (old, sent) => ({
            ...old,
            ...sent,
            categoryId: sent.categoryId || old.categoryId,
          }),
        }),
        'updatePet/state.echo.categoryId',
      ],
      'remove-recycles-id': [
        'The identifier of the last pet is given again after it was removed.',
        {
          assignId: (_value, { inventory }) =>
            [...inventory.pets.keys()].reduce((most, id) => (id > most ? id : most), 0n) + 1n,
        },
        'createPet/state.id-fresh',
      ],
      'replace-revives': [
        'A replacement of a pet that was removed brings it back.',
        reviving,
        `replacePet/status.404 ${removed} updatePet/status.404`,
      ],
      'replace-together-lost': [
        'The whole inventory is read, changed and written back, so that the last writer wins.',
        within('replacePet', { store: rewriteAll }),
      ],
      'replace-together-mixed': [
        'The pet to store is kept in a variable that all requests share.',
        () =>
          within(
            'replacePet',
            sharing(({ id: _id, ...others }) => others),
          ),
      ],
    },
    { needs: 'more' },
  ),
]);
