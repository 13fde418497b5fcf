import {
  type Parts,
  type Refusal,
  type ServiceBehaviour,
  isRefusal,
} from '../../service/behaviour.ts';
import type { Json } from '../../service/json.ts';
import { checkCategoryId, validateNewPet } from '../../service/new-pet.ts';
import { type NewPet, petStatuses } from '../../service/pet.ts';
import { type Mutant, type Ways, createMutant, mapWays } from '../../subject/mutant.ts';
import { changingPet, failingOn, type Place, readRequirements } from '../../subject/pet-change.ts';
import { fallingOverMember, readingMember } from '../../subject/reading.ts';

const largest = 2n ** 63n - 1n;
const smallest = -(2n ** 63n);

/** Numbers that are too large and taken, lawful and refused, or changed on the way. */
export const numberMutants: readonly Mutant[] = [...overflows(), ...refusals(), ...changes()];

function overflows(): readonly Mutant[] {
  const ways: Ways<(value: bigint) => bigint> = {
    'too-large-wrapped': [
      'An integer above 64 bits wraps around.',
      (value) => (value > largest ? BigInt.asIntN(64, value) : value),
    ],
    'too-small-wrapped': [
      'An integer below 64 bits wraps around.',
      (value) => (value < smallest ? BigInt.asIntN(64, value) : value),
    ],
    'too-large-clamped': [
      'An integer above 64 bits becomes the largest one.',
      (value) => (value > largest ? largest : value),
    ],
    'too-small-clamped': [
      'An integer below 64 bits becomes the smallest one.',
      (value) => (value < smallest ? smallest : value),
    ],
    'out-of-range-zero': [
      'An integer beyond 64 bits becomes 0, as a failed parse has it.',
      (value) => (value > largest || value < smallest ? 0n : value),
    ],
  };
  const requirement = 'createPet/request.body.categoryId.format';
  return [
    ...mapWays(ways, (id, summary, fit) =>
      createMutant(
        `category-id-${id}`,
        [requirement],
        summary,
        readingMember('categoryId', (value) => (typeof value === 'bigint' ? fit(value) : value)),
      ),
    ),
    {
      id: 'category-id-out-of-range-500',
      breaks: [requirement],
      summary: 'An integer beyond 64 bits overflows in the database and is answered 500.',
      behaviour: () =>
        fallingOverMember(
          'categoryId',
          (value) => typeof value === 'bigint' && (value > largest || value < smallest),
        ),
    },
  ];
}

function refusals(): readonly Mutant[] {
  const values: Ways<(value: bigint) => boolean> = {
    largest: ['The largest 64-bit categoryId', (value) => value === largest],
    smallest: ['The smallest 64-bit categoryId', (value) => value === smallest],
    zero: ['A categoryId of 0, which is falsy,', (value) => value === 0n],
    negative: ['A negative categoryId', (value) => value < 0n],
    'beyond-double': [
      'A categoryId beyond 2^53',
      (value) => value > 2n ** 53n || value < -(2n ** 53n),
    ],
    'beyond-32-bits': [
      'A categoryId beyond 32 bits',
      (value) => value > 2n ** 31n - 1n || value < -(2n ** 31n),
    ],
  };
  const format = ['createPet/request.body.categoryId.format'] as const;
  return [
    ...mapWays(values, (id, summary, fails) =>
      createMutant(
        `category-id-${id}-refused`,
        format,
        `${summary} is refused.`,
        refusingCategory(fails),
      ),
    ),
    ...mapWays(values, (id, summary, fails) =>
      createMutant(
        `category-id-${id}-500`,
        [...format, 'createPet/robustness.no-server-error'],
        `${summary} is answered 500.`,
        failingOn(({ categoryId }) => fails(categoryId)),
      ),
    ),
    ...petStatuses.map((status) =>
      createMutant(
        `status-${status}-refused`,
        ['createPet/request.body.status.values'],
        `A pet cannot be added as ${status}: the enumeration of the service lacks it.`,
        readingMember('status', (sent) => (sent === status ? 'unknown' : sent)),
      ),
    ),
  ];
}

function refusingCategory(fails: (value: bigint) => boolean): Parts {
  const check = (value: Json | undefined): string | undefined =>
    typeof value === 'bigint' && fails(value)
      ? 'categoryId is out of range.'
      : checkCategoryId(value);
  return { checkCategoryId: check };
}

function changes(): readonly Mutant[] {
  const ways: Ways<(value: bigint) => bigint> = {
    double: ['goes through a double and back, the ends saturated', throughDouble],
    '32-bits': ['is cut to its lower 32 bits', (value) => BigInt.asIntN(32, value)],
    unsigned: [
      'is kept in an unsigned column, which makes negative values 0',
      (value) => (value < 0n ? 0n : value),
    ],
    'sign-lost': [
      'loses its sign where that is possible',
      (value) => BigInt.asIntN(64, value < 0n ? -value - 1n : value),
    ],
    'zero-as-one': [
      'is 1 where it was sent as 0, the falsy number',
      (value) => (value === 0n ? 1n : value),
    ],
  };
  const places: readonly Place[] = ['everywhere', 'created', 'stored', 'list', 'item'];
  return [
    ...Object.entries(ways).flatMap(([id, [words, change]]) =>
      places
        .filter((place) => isApt(id, place))
        .map((place) =>
          createMutant(
            `category-id-${id}-${place}`,
            readRequirements('categoryId', place),
            `The categoryId ${words} (${place}).`,
            changingPet(place, (pet) => ({ ...pet, categoryId: change(pet.categoryId) })),
          ),
        ),
    ),
    rawDouble(),
    zeroAsNull(),
  ];
}

/** A column type shows wherever the pet is read; only the double is met in each serializer too. */
function isApt(way: string, place: Place): boolean {
  return (
    way === 'double' ||
    place === 'everywhere' ||
    (place === 'stored' && (way === '32-bits' || way === 'unsigned'))
  );
}

function throughDouble(value: bigint): bigint {
  const double = BigInt(Number(value));
  return double > largest ? largest : double;
}

function rawDouble(): Mutant {
  return {
    id: 'category-id-double-printed',
    breaks: [
      'createPet/state.echo.categoryId',
      'createPet/response.201.body.categoryId.format',
      'listPets/response.200.body[].categoryId.format',
      'getPet/response.200.body.categoryId.format',
    ],
    summary: 'The categoryId is read as a double, so that the largest integer comes back as 2^63.',
    behaviour: () => ({
      acceptNewPet: (value: NewPet) => ({
        ...value,
        categoryId: BigInt(Number(value.categoryId)),
        rest: {},
      }),
    }),
  };
}

function zeroAsNull(): Mutant {
  return {
    id: 'category-id-zero-as-null',
    breaks: [
      'createPet/response.201.body.categoryId.type',
      'listPets/response.200.body[].categoryId.type',
      'getPet/response.200.body.categoryId.type',
    ],
    summary: 'A categoryId of 0, which is falsy, is stored and answered as null.',
    behaviour: () => ({
      validateNewPet: nullWhereZero,
      acceptNewPet: (value) => ({
        ...value,
        rest: value.rest['categoryId'] === null ? { categoryId: null } : {},
      }),
    }),
  };
}

function nullWhereZero(body: Json | undefined, all: ServiceBehaviour): NewPet | Refusal {
  const checked = validateNewPet(body, all);
  return isRefusal(checked) || checked.categoryId !== 0n
    ? checked
    : { ...checked, rest: { categoryId: null } };
}
