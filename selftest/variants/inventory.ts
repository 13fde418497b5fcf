import type { ServiceBehaviour } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import type { Pet } from '../service/pet.ts';
import { dirtyNames } from './dirty-name.ts';
import type { Variant } from '../subject/variant.ts';

const lawful =
  'Resources / Pets: a list is an array of any length, and nothing says which pets a service has.';

function stocked(
  id: string,
  summary: string,
  seed: () => readonly Pet[],
  further: Partial<ServiceBehaviour> = {},
): Variant {
  return { id: `inventory-${id}`, summary, lawful, behaviour: () => ({ ...further, seed }) };
}

function oldPet(id: bigint, change: Partial<Pet>): Pet {
  return { id, name: 'Old', categoryId: 1n, status: undefined, rest: {}, ...change };
}

const dirty: readonly Pet[] = [
  ...dirtyNames.map((name, index) =>
    oldPet(BigInt(index + 1), { name, status: index % 2 === 0 ? 'sold' : undefined }),
  ),
  oldPet(9_007_199_254_740_993n, { name: 'Beyond a double' }),
  oldPet(4_611_686_018_427_387_905n, { categoryId: 9_223_372_036_854_775_807n }),
  oldPet(0n, { categoryId: 0n, status: 'pending' }),
  oldPet(-5n, { categoryId: -9_223_372_036_854_775_808n, status: 'available' }),
  oldPet(500n, {
    rest: {
      tags: [],
      owner: null,
      weight: 4.5,
      chip: { number: 12_345_678_901_234_567_890_123n },
      Status: 'SOLD',
      name_old: '',
    },
  }),
];

/** Inventories of every size and age. */
export const inventoryVariants: readonly Variant[] = [
  stocked('empty', 'There are no pets.', () => []),
  stocked('one', 'There is one pet.', () => seedPets(1)),
  stocked('default-page', 'There are twenty pets, as many as a list has without a limit.', () =>
    seedPets(20),
  ),
  stocked('almost-full-page', 'There are 95 pets, so that additions fill the longest list.', () =>
    seedPets(95),
  ),
  stocked('full-page', 'There are a hundred pets, as many as the longest list has.', () =>
    seedPets(100),
  ),
  stocked('large', 'There are 5,000 pets.', () => seedPets(5_000)),
  stocked(
    'large-newest-first',
    'There are 5,000 pets, and the newest comes first.',
    () => seedPets(5_000),
    { order: (pets) => [...pets].toReversed() },
  ),
  stocked(
    'large-in-pieces',
    'There are 5,000 pets, and each response begins with another one.',
    () => seedPets(5_000),
    turning(),
  ),
  stocked('all-sold', 'Every pet is sold.', () =>
    seedPets(12).map((pet) => ({ ...pet, status: 'sold' })),
  ),
  stocked('without-status', 'No pet has a status.', () =>
    seedPets(12).map((pet) => ({ ...pet, status: undefined })),
  ),
  stocked('one-name', 'All pets have the same name and category.', () =>
    seedPets(12).map((pet) => ({ ...pet, name: 'Rex', categoryId: 1n })),
  ),
  stocked(
    'dirty',
    'Old pets have odd names, no status, further members and very large ids.',
    () => dirty,
  ),
  stocked('lone-surrogate', 'The name of an old pet holds half of a character, escaped.', () => [
    oldPet(1n, { name: 'half \ud83d of a dog' }),
  ]),
];

function turning(): Partial<ServiceBehaviour> {
  let lists = 0;
  return {
    order: (pets) => {
      lists += 1;
      const start = (lists * 617) % Math.max(1, pets.length);
      return [...pets.slice(start), ...pets.slice(0, start)];
    },
  };
}
