import type { Parts } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import type { Pet } from '../service/pet.ts';
import { turn } from './order.ts';
import { type Variant, createVariants } from '../subject/variant.ts';

const valid =
  'Resources / Pets: a list is an array of any length, and nothing says which pets a service has.';

/** Names as old records have them. Each is a string, which is all that the interface asks. */
const dirtyNames: readonly string[] = [
  '',
  ' ',
  ' Rex\t',
  'null',
  'undefined',
  'NaN',
  '0',
  '[object Object]',
  "Robert'); DROP TABLE pets;--",
  '<script>alert(1)</script>',
  '{{7*7}} ${x} %s %00',
  'a\u0000b\u0001\u001f\u007f',
  'line\r\nbreak\u2028',
  '\ufeffBella',
  'Zoe\u0308',
  'Zoë',
  'ZoÃ«',
  '\ufffd\ufffd',
  '\u202Eevil\u202C',
  '👩‍👩‍👧 🐾',
  '狗'.repeat(300),
  'x'.repeat(20_000),
  '"quoted" \\ / back',
];

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

function turning(): Parts {
  let lists = 0;
  return { seed: () => seedPets(5_000), order: (pets) => turn(pets, (lists += 1) * 617) };
}

const seed = (count: number, change: Partial<Pet> = {}): Parts => ({
  seed: () => seedPets(count).map((pet) => ({ ...pet, ...change })),
});

/** Inventories of every size and age. */
export const inventoryVariants: readonly Variant[] = createVariants('inventory', valid, {
  empty: ['There are no pets.', seed(0)],
  one: ['There is one pet.', seed(1)],
  'default-page': ['There are twenty pets, as many as a list has without a limit.', seed(20)],
  'almost-full-page': ['There are 95 pets, so that additions fill the longest list.', seed(95)],
  'full-page': ['There are a hundred pets, as many as the longest list has.', seed(100)],
  large: ['There are 5,000 pets.', seed(5_000)],
  'large-newest-first': [
    'There are 5,000 pets, and the newest comes first.',
    { ...seed(5_000), order: (pets) => [...pets].toReversed() },
  ],
  'large-in-pieces': ['There are 5,000 pets, and each response begins with another one.', turning],
  'all-sold': ['Every pet is sold.', seed(12, { status: 'sold' })],
  'without-status': ['No pet has a status.', seed(12, { status: undefined })],
  'one-name': [
    'All pets have the same name and category.',
    seed(12, { name: 'Rex', categoryId: 1n }),
  ],
  dirty: [
    'Old pets have odd names, no status, further members and very large ids.',
    { seed: () => dirty },
  ],
  'lone-surrogate': [
    'The name of an old pet holds half of a character, escaped.',
    { seed: () => [oldPet(1n, { name: 'half \ud83d of a dog' })] },
  ],
});
