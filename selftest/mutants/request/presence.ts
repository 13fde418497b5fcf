import { type Json, isRecord } from '../../service/json.ts';
import { type Mutant, createMutant, createMutants } from '../../subject/mutant.ts';
import { fallen, petRequirements } from '../../subject/place.ts';
import { failingOn } from '../../subject/pet-change.ts';
import {
  fallingOver,
  fallingOverMember,
  keepingRaw,
  readingBody,
  readingMember,
} from '../../subject/reading.ts';

const prefixes = { name: 'name-missing', categoryId: 'category-id-missing' } as const;

type Required = keyof typeof prefixes;

const isMissing = (value: Json | undefined): boolean => value === undefined;

/** Required members and bodies that are not required, and optional ones that are. */
export const requestPresenceMutants: readonly Mutant[] = [
  defaulted('name', 'empty', ''),
  defaulted('name', 'unnamed', 'Unnamed'),
  defaulted('categoryId', 'zero', 0n),
  defaulted('categoryId', 'first', 1n),
  ...missing('name'),
  ...missing('categoryId'),
  ...createMutants(['createPet/request.body.required'], {
    'body-missing-taken': [
      'A request without a body adds a pet made of defaults.',
      readingBody((body) => (body === undefined ? { name: 'New pet', categoryId: 1n } : body)),
    ],
    'body-missing-500': [
      'A request without a body runs into a null pointer and is answered 500.',
      fallingOver((body) => body === undefined),
      ['createPet/request.body.required', fallen.addition],
    ],
    'body-empty-object-taken': [
      'An object without members counts as "no data": nothing is checked, and a pet is made of defaults.',
      readingBody((body) =>
        isRecord(body) && Object.keys(body).length === 0
          ? { name: 'New pet', categoryId: 1n }
          : body,
      ),
      ['createPet/request.body.name.required', 'createPet/request.body.categoryId.required'],
    ],
    'status-required': [
      'A body without a status is refused.',
      readingMember('status')((status) => status ?? 'missing'),
      ['createPet/request.body.status.optional'],
    ],
    'status-missing-500': [
      'A body without a status violates a NOT NULL of the table and is answered 500.',
      failingOn(({ status }) => status === undefined),
      ['createPet/request.body.status.optional', fallen.addition],
    ],
  }),
];

function defaulted(member: Required, label: string, value: Json): Mutant {
  return createMutant(
    `${prefixes[member]}-${label}`,
    [`createPet/request.body.${member}.required`],
    `A body without \`${member}\` is taken, with a default of the model's (${label}).`,
    readingMember(member)((sent = value) => sent),
  );
}

function missing(member: Required): readonly Mutant[] {
  const required = `createPet/request.body.${member}.required`;
  return createMutants([required], {
    [`${prefixes[member]}-null`]: [
      `A body without \`${member}\` is taken, and the member is stored and answered as null.`,
      keepingRaw(member)(isMissing),
      [required, ...petRequirements(`${member}.type`)],
    ],
    [`${prefixes[member]}-500`]: [
      `A body without \`${member}\` violates a NOT NULL of the table and is answered 500 instead of 400.`,
      fallingOverMember(member)(isMissing),
      [required, fallen.addition],
    ],
  });
}
