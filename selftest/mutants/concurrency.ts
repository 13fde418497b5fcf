import { setTimeout as wait } from 'node:timers/promises';
import type { Parts, ServiceBehaviour, ServiceResponse } from '../service/behaviour.ts';
import { takeId } from '../service/inventory.ts';
import { createPet } from '../service/operations.ts';
import { type Pet, presentPet } from '../service/pet.ts';
import { type Mutant, createMutants } from '../subject/mutant.ts';
import { keep } from '../subject/pet-change.ts';

/** What a query takes, in real milliseconds: long enough that requests sent together meet. */
const query = 8;

const unique = ['createPet/concurrency.unique', 'createPet/concurrency.stored'] as const;
const stored = ['createPet/concurrency.stored', 'listPets/state.listed'] as const;

/** Additions at the same time that get in each other's way. Alone, each is served well. */
export const concurrencyMutants: readonly Mutant[] = createMutants(unique, {
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
  'together-same-id-of-two': [
    'Two workers count for themselves from the same number when they are busy.',
    twoWorkers,
  ],
  'together-lost-write': [
    'The whole inventory is read, added to and written back, so that the last writer wins.',
    {
      store: async (pet, { inventory }) => {
        const before = [...inventory.pets];
        await wait(query);
        inventory.pets.clear();
        for (const [id, each] of before) inventory.pets.set(id, each);
        inventory.pets.set(pet.id, pet);
      },
    },
    stored,
  ],
  'together-first-only': [
    'Of additions at the same time only the first is stored, though all are answered.',
    firstOnly,
    stored,
  ],
  'together-one-answer': [
    'Additions at the same time are taken for one and share its response.',
    sharingResponse,
    [
      'createPet/concurrency.unique',
      'createPet/state.echo.name',
      'createPet/state.echo.status',
      'createPet/concurrency.stored',
    ],
  ],
  'together-mixed-bodies': [
    'The name to answer is kept in a variable that all requests share.',
    sharingName,
    ['createPet/state.echo.name'],
  ],
  'together-stored-mixed': [
    'The name to store is kept in a variable that all requests share.',
    sharingStoredName,
    ['listPets/state.read.name', 'getPet/state.read.name'],
  ],
  'together-500': [
    'An addition while another one is at work finds the table locked and is answered 500.',
    locking,
    [
      'createPet/concurrency.stored',
      'createPet/status.201',
      'createPet/robustness.no-server-error',
    ],
  ],
});

/** Counts who is at work: how many there are when somebody begins, who then takes a while. */
function busy(): () => Promise<number> {
  let atWork = 0;
  return async () => {
    const place = (atWork += 1);
    await wait(query);
    atWork -= 1;
    return place;
  };
}

function twoWorkers(): Parts {
  const work = busy();
  return {
    assignId: async (_value, { inventory }) => {
      const id = inventory.nextId;
      if ((await work()) === 2) return id;
      return takeId(inventory);
    },
  };
}

function firstOnly(): Parts {
  const work = busy();
  return {
    store: async (pet, call) => {
      if ((await work()) === 1) keep(pet, call);
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

function sharingName(): Parts {
  let name = '';
  return {
    store: async (pet, call) => {
      ({ name } = pet);
      keep(pet, call);
      await wait(query);
    },
    presentCreated: (pet) => presentPet({ ...pet, name }),
  };
}

function sharingStoredName(): Parts {
  let current: Pet | undefined;
  return {
    store: async (pet, call) => {
      current = pet;
      await wait(query);
      keep({ ...pet, name: current.name }, call);
    },
  };
}

function locking(): Parts {
  const work = busy();
  return {
    store: async (pet, call) => {
      if ((await work()) > 1) throw new Error('the table is locked');
      keep(pet, call);
    },
  };
}
