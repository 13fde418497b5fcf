import { setTimeout as wait } from 'node:timers/promises';
import {
  type Pet,
  type ServiceResponse,
  type ServiceBehaviour,
  type Parts,
  plain,
} from '../service/service.ts';
import { keep, type Mutant, createMutants } from '../subject/subject.ts';

/** What a query takes, in real milliseconds: long enough that requests sent together meet. */
const query = 8;

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
    const response = await plain.createPet(call, all);
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
    'together-same-id': {
      assignId: async (_value, { inventory }) => {
        const id = inventory.nextId;
        await wait(query);
        inventory.nextId = id + 1n;
        return id;
      },
    },
    'together-one-answer': [
      sharingResponse,
      'createPet/concurrency.unique createPet/state.echo.{name,status} createPet/concurrency.stored',
    ],
    'together-stored-mixed': [
      () => sharing(({ name }) => ({ name })),
      '{listPets,getPet}/state.read.name',
    ],
    'together-500': [
      locking,
      'createPet/concurrency.stored createPet/status.201 createPet/robustness.no-server-error',
    ],
  },
);
