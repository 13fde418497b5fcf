import { setTimeout as wait } from 'node:timers/promises';
import type { Parts } from '../../service/behaviour.ts';
import type { Pet } from '../../service/pet.ts';
import { changeHeaders, changeRecord, leaveOut } from '../../subject/response-change.ts';
import { createMutants, needing, requirementsOf, type Mutant } from '../../subject/mutant.ts';
import { place, requirementsAt, type Place } from '../../subject/place.ts';
import { put, removed, replaced, updated, within } from './parts.ts';

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

const places: readonly Place[] = [
  replaced,
  updated,
  removed,
  place('update-refused', 'a 400 of an update', 400, 'updatePet'),
  place('replace-not-found', 'a 404 of a replacement', 404, 'replacePet'),
  place('remove-not-found', 'a 404 of a removal', 404, 'removePet'),
  place('remove-unauthorized', 'a 401 of a removal', 401, 'removePet'),
];

const headers: readonly Mutant[] = places.flatMap((each) =>
  createMutants(requirementsOf(names.map((name) => requirementsAt(each, `header.${name}`)[0])), {
    [`${each.name}-no-headers`]: [
      `There are no headers of the rate limit in ${each.words}.`,
      changeHeaders(each, (all) => leaveOut(all, ...names)),
    ],
  }),
);

const bodies: readonly Mutant[] = places.slice(3).flatMap((each) =>
  createMutants(requirementsAt(each, 'body.status.values'), {
    [`${each.name}-status-500`]: [
      `The status in the body of ${each.words} is another.`,
      changeRecord(each, (record) => ({ ...record, status: 500n })),
    ],
  }),
);

/** What a query takes, in real milliseconds: long enough that requests sent together meet. */
const query = 8;

const together = needing(
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

/** Responses of changes that lack what they have to carry, and changes that get in each other's way. */
export const responseMutants: readonly Mutant[] = [...headers, ...bodies, ...together];
