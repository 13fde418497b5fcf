import { setTimeout as wait } from 'node:timers/promises';
import type { Parts } from '../../service/behaviour.ts';
import type { Pet } from '../../service/pet.ts';
import { createMutants, needing, type Mutant } from '../../subject/mutant.ts';
import { put, within } from './parts.ts';

/** What a query takes, in real milliseconds: long enough that requests sent together meet. */
const query = 8;

/** Changes that get in each other's way. */
export const concurrencyMutants: readonly Mutant[] = needing(
  'more',
  createMutants(['replacePet/concurrency.stored'], {
    'replace-together-lost': [
      'The whole inventory is read, changed and written back, so that the last writer wins.',
      within('replacePet', {
        storeChange: async (pet, { inventory }) => {
          const before = [...inventory.pets];
          await wait(query);
          inventory.pets.clear();
          for (const [id, each] of before) inventory.pets.set(id, each);
          inventory.pets.set(pet.id, pet);
        },
      }),
    ],
    'replace-together-mixed': [
      'The pet to store is kept in a variable that all requests share.',
      () => within('replacePet', sharing()),
    ],
    'update-together-mixed': [
      'The update to store is kept in a variable that all requests share.',
      () => within('updatePet', sharing()),
      ['updatePet/concurrency.stored'],
    ],
  }),
);

function sharing(): Parts {
  const shared: { last: Pet | undefined } = { last: undefined };
  return {
    storeChange: async (pet, call) => {
      shared.last = pet;
      await wait(query);
      put({ ...shared.last, id: pet.id }, call);
    },
  };
}
