import { setTimeout as wait } from 'node:timers/promises';
import type { Parts, ServiceBehaviour, ServiceResponse } from '../service/behaviour.ts';
import { createPet } from '../service/operations.ts';
import type { Pet } from '../service/pet.ts';
import { keep } from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

/** What a query takes, in real milliseconds: long enough that requests sent together meet. */
export const query = 8;

/** The whole inventory is read, and written back with one pet more or another. */
export const rewriteAll: ServiceBehaviour['store'] = async (pet, { inventory }) => {
  const before = [...inventory.pets];
  await wait(query);
  inventory.pets.clear();
  for (const [id, each] of before) inventory.pets.set(id, each);
  inventory.pets.set(pet.id, pet);
};

/** Stores what is changed in one pet as that of the last request. */
export function sharing(part: (pet: Pet) => Partial<Pet>): Pick<ServiceBehaviour, 'store'> {
  const shared: { last?: Pet } = {};
  return {
    store: async (pet, call) => {
      shared.last = pet;
      await wait(query);
      keep({ ...pet, ...part(shared.last) }, call);
    },
  };
}

function sharingResponse(): Parts {
  let current: Promise<ServiceResponse> | undefined;
  const first: ServiceBehaviour['createPet'] = async (call, all) => {
    const response = await createPet(call, all);
    await wait(query);
    current = undefined;
    return response;
  };
  return { createPet: (call, all) => (current ??= first(call, all)) };
}

function locking(): Parts {
  let atWork = 0;
  return {
    store: async (pet, call) => {
      atWork += 1;
      const isLocked = atWork > 1;
      await wait(query);
      atWork -= 1;
      if (isLocked) throw new Error('the table is locked');
      keep(pet, call);
    },
  };
}

/** Additions at the same time that get in each other's way. Alone, each is served well. */
export const concurrencyMutants: readonly Mutant[] = createMutants(
  'createPet/concurrency.unique createPet/concurrency.stored',
  {
    'together-same-id': [
      'The next identifier is read, awaited and only then moved on.',
      {
        assignId: async (_value, { inventory }) => {
          const id = inventory.nextId;
          await wait(query);
          inventory.nextId = id + 1n;
          return id;
        },
      },
    ],
    'together-one-answer': [
      'Additions at the same time are mistaken for one and share its response.',
      sharingResponse,
      'createPet/concurrency.unique createPet/state.echo.{name,status} createPet/concurrency.stored',
    ],
    'together-lost-write': [
      'The whole inventory is read, added to and written back, so that the last writer wins.',
      { store: rewriteAll },
      'createPet/concurrency.stored listPets/state.listed',
    ],
    'together-stored-mixed': [
      'The name to store is kept in a variable that all requests share.',
      () => sharing(({ name }) => ({ name })),
      '{listPets,getPet}/state.read.name',
    ],
    'together-500': [
      'An addition while another one is at work finds the table locked and is answered 500.',
      locking,
      'createPet/concurrency.stored createPet/status.201 createPet/robustness.no-server-error',
    ],
  },
);
