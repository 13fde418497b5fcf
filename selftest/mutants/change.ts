import {
  type Pet,
  presentPet,
  petIdOf,
  createRefusal,
  type Parts,
  plain,
  replaceParts,
} from '../service/service.ts';
import { keep, inChanges, within, type Mutant, createMutants } from '../subject/subject.ts';
import { sharing } from './state.ts';

const none = createRefusal(404, 'not_found', 'No pet has this identifier.');

/** Pets that were removed stay in the inventory; some view hides them. */
function hiding(parts: (isHidden: (id: string) => boolean) => Parts): Parts {
  const hidden = new Set<string>();
  return {
    removePet: async (call, all) => {
      const id = petIdOf(call);
      const isHidden = hidden.has(id);
      hidden.add(id);
      const find = isHidden ? () => none : all.find;
      return await plain.removePet(call, replaceParts(all, { find, remove: () => undefined }));
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
      return await plain.replacePet(call, all);
    },
  };
}

const removed = 'removePet/state.removed';

/** Pets that are not replaced, updated or removed as they should be. */
export const changeMutants: readonly Mutant[] = inChanges([
  ...createMutants('replacePet/state.stored', {
    'replace-stores-name-only': within('replacePet', {
      store: ({ id, name }, call) => {
        const old = call.inventory.pets.get(id);
        if (old) keep({ ...old, name }, call);
      },
    }),
    'replace-every-pet': [
      within('replacePet', {
        store: (pet, call) => {
          for (const each of call.inventory.pets.values()) keep({ ...each, name: pet.name }, call);
          keep(pet, call);
        },
      }),
      '{listPets,getPet}/state.read.name replacePet/state.not-written.401 updatePet/state.{stored,others-kept} removePet/state.removed',
    ],
    'single-cached': [
      () => remembering((first) => ({ presentItem: (pet) => presentPet(first(pet)) })),
      'getPet/state.read.{name,categoryId,status}',
    ],
    'list-cached': [
      () => remembering((first) => ({ presentInList: (pet) => presentPet(first(pet)) })),
      'listPets/state.read.{name,categoryId,status} listPets/parameter.status.filter',
    ],
    'filter-cached': [
      () =>
        remembering((first) => ({
          filter: (pets, status) => pets.filter((pet) => first(pet).status === status),
        })),
      'listPets/parameter.status.filter',
    ],
  }),
  ...createMutants('updatePet/state.others-kept', {
    'update-default-status': within('updatePet', {
      merge: (old, sent) => ({ ...old, status: 'pending', ...sent }),
    }),
  }),
  ...createMutants(removed, {
    'remove-from-single-only': () =>
      hiding((isHidden) => ({
        getPet: async (call, all) =>
          await plain.getPet(
            call,
            isHidden(petIdOf(call)) ? replaceParts(all, { find: () => none }) : all,
          ),
      })),
    'remove-from-list-only': [
      () =>
        hiding((isHidden) => ({
          order: (pets) => plain.order(pets).filter(({ id }) => !isHidden(String(id))),
        })),
      'getPet/status.404',
    ],
    'remove-undone': [returning, `${removed} getPet/status.404`],
  }),
  ...createMutants(
    'replacePet/concurrency.stored',
    {
      'update-ignores-zero': [
        within('updatePet', {
          merge: (old, sent) => ({
            ...old,
            ...sent,
            categoryId: sent.categoryId || old.categoryId,
          }),
        }),
        'updatePet/state.echo.categoryId',
      ],
      'replace-revives': [reviving, `replacePet/status.404 ${removed} updatePet/status.404`],
      'replace-together-mixed': () =>
        within(
          'replacePet',
          sharing(({ id: _id, ...others }) => others),
        ),
    },
    { needs: 'more' },
  ),
]);
