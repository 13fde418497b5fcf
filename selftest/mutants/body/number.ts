import { type Parts } from '../../service/behaviour.ts';
import { checkCategoryId } from '../../service/new-pet.ts';
import { isInt64 } from '../../service/pet.ts';
import {
  type Mutant,
  createMutant,
  createMutants,
  listMutants,
  requirementsOf,
} from '../../subject/mutant.ts';
import {
  changingPet,
  failingOn,
  type Place,
  places,
  readRequirements,
} from '../../subject/pet-change.ts';
import { fallingOverMember, readingMember } from '../../subject/reading.ts';

const largest = 2n ** 63n - 1n;
const smallest = -(2n ** 63n);

const format = ['createPet/request.body.categoryId.format'] as const;

const taken = ['createPet/request.body.categoryId.taken'] as const;

const fitting = (fit: (value: bigint) => bigint): Parts =>
  readingMember('categoryId')((value) => (typeof value === 'bigint' ? fit(value) : value));

const overflows: readonly Mutant[] = [
  ...listMutants('category-id-', format, fitting, {
    'too-large-wrapped': [
      'An integer above 64 bits wraps around.',
      (value) => (value > largest ? BigInt.asIntN(64, value) : value),
    ],
    'too-small-clamped': [
      'An integer below 64 bits becomes the smallest one.',
      (value) => (value < smallest ? smallest : value),
    ],
  }),
  createMutant(
    'category-id-out-of-range-500',
    [...format, 'createPet/robustness.no-server-error'],
    'An integer beyond 64 bits overflows in the database and is answered 500.',
    fallingOverMember('categoryId')((value) => typeof value === 'bigint' && !isInt64(value)),
  ),
];

const values: Readonly<Record<string, readonly [string, (value: bigint) => boolean]>> = {
  zero: ['A categoryId of 0, which is falsy,', (value) => value === 0n],
  negative: ['A negative categoryId', (value) => value < 0n],
  'beyond-double': [
    'A categoryId beyond 2^53',
    (value) => value > 2n ** 53n || value < -(2n ** 53n),
  ],
};

/** Values that no identifier may have, where they count from 1: to refuse them is valid. */
const below: readonly string[] = ['smallest', 'zero', 'negative'];

const refusals: readonly Mutant[] = Object.entries(values).flatMap(([id, [words, fails]]) => [
  ...(below.includes(id)
    ? []
    : [
        createMutant(`category-id-${id}-refused`, taken, `${words} is refused.`, {
          checkCategoryId: (value) =>
            typeof value === 'bigint' && fails(value)
              ? 'categoryId is out of range.'
              : checkCategoryId(value),
        }),
      ]),
  createMutant(
    `category-id-${id}-500`,
    [...taken, 'createPet/robustness.no-server-error'],
    `${words} is answered 500.`,
    failingOn(({ categoryId }) => fails(categoryId)),
  ),
]);

/** A column type shows wherever the pet is read; only the double is met in each serializer too. */
const changes: Readonly<
  Record<string, readonly [string, (value: bigint) => bigint, readonly Place[]]>
> = {
  double: ['goes through a double and back, the ends saturated', throughDouble, places],
  '32-bits': [
    'is cut to its lower 32 bits',
    (value) => BigInt.asIntN(32, value),
    ['everywhere', 'stored'],
  ],
  unsigned: [
    'is kept in an unsigned column, which makes negative values 0',
    (value) => (value < 0n ? 0n : value),
    ['everywhere', 'stored'],
  ],
  'zero-as-one': [
    'is 1 where it was sent as 0, the falsy number',
    (value) => (value === 0n ? 1n : value),
    ['everywhere'],
  ],
};

function throughDouble(value: bigint): bigint {
  const double = BigInt(Number(value));
  return double > largest ? largest : double;
}

const pets = [
  'createPet/response.201.body',
  'listPets/response.200.body[]',
  'getPet/response.200.body',
] as const;

const changeMutants: readonly Mutant[] = [
  ...Object.entries(changes).flatMap(([id, [words, change, where]]) =>
    where.map((place) =>
      createMutant(
        `category-id-${id}-${place}`,
        readRequirements('categoryId', place),
        `The categoryId ${words} (${place}).`,
        changingPet(place, (pet) => ({ ...pet, categoryId: change(pet.categoryId) })),
      ),
    ),
  ),
  ...createMutants(requirementsOf(pets.map((pet) => `${pet}.categoryId.type`)), {
    'category-id-double-printed': [
      'The categoryId is read as a double, so that the largest integer comes back as 2^63.',
      {
        acceptNewPet: ({ categoryId, ...value }) => ({
          ...value,
          categoryId: BigInt(Number(categoryId)),
          rest: {},
        }),
      },
      ['createPet/state.echo.categoryId', ...pets.map((pet) => `${pet}.categoryId.format`)],
    ],
  }),
];

/** Numbers that are too large and taken, valid and refused, or changed on the way. */
export const numberMutants: readonly Mutant[] = [...overflows, ...refusals, ...changeMutants];
