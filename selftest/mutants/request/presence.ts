import { type Json, isRecord } from '../../service/json.ts';
import type { NewPet } from '../../service/pet.ts';
import { type Mutant, createMutants } from '../../subject/mutant.ts';
import {
  type Member,
  fallingOver,
  fallingOverMember,
  keepingRaw,
  readingBody,
  readingMember,
} from '../../subject/reading.ts';

const kebab = (member: Member): string => (member === 'categoryId' ? 'category-id' : member);

const isMissing = (value: Json | undefined): boolean => value === undefined;

/** Required members and bodies that are not required, and optional ones that are. */
export const requestPresenceMutants: readonly Mutant[] = [
  defaulted('name', 'empty', ''),
  defaulted('name', 'unnamed', 'Unnamed'),
  defaulted('categoryId', 'zero', 0n),
  defaulted('categoryId', 'first', 1n),
  ...(['name', 'categoryId'] as const).flatMap((member) => [
    storedAsNull(member),
    missedWith500(member),
  ]),
  ...createMutants(['createPet/request.body.required'], {
    'body-missing-taken': [
      'A request without a body adds a pet made of defaults.',
      readingBody((body) => (body === undefined ? { name: 'New pet', categoryId: 1n } : body)),
    ],
    'body-missing-500': [
      'A request without a body runs into a null pointer and is answered 500.',
      fallingOver((body) => body === undefined),
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
      readingMember('status', (status) => status ?? 'missing'),
      ['createPet/request.body.status.optional'],
    ],
    'status-missing-500': [
      'A body without a status violates a NOT NULL of the table and is answered 500.',
      { acceptNewPet: insistOnStatus },
      ['createPet/request.body.status.optional', 'createPet/robustness.no-server-error'],
    ],
  }),
];

function insistOnStatus(value: NewPet): NewPet {
  if (value.status === undefined) throw new TypeError('null value in column "status"');
  return { ...value, rest: {} };
}

function defaulted(member: 'name' | 'categoryId', label: string, value: Json): Mutant {
  return {
    id: `${kebab(member)}-missing-${label}`,
    breaks: [`createPet/request.body.${member}.required`],
    summary: `A body without \`${member}\` is taken, with a default of the model's (${label}).`,
    behaviour: () => readingMember(member, (sent) => (sent === undefined ? value : sent)),
  };
}

function storedAsNull(member: 'name' | 'categoryId'): Mutant {
  return {
    id: `${kebab(member)}-missing-null`,
    breaks: [`createPet/request.body.${member}.required`],
    summary: `A body without \`${member}\` is taken, and the member is stored and answered as null.`,
    behaviour: () => keepingRaw(member, isMissing),
  };
}

function missedWith500(member: 'name' | 'categoryId'): Mutant {
  return {
    id: `${kebab(member)}-missing-500`,
    breaks: [`createPet/request.body.${member}.required`],
    summary: `A body without \`${member}\` violates a NOT NULL of the table and is answered 500 instead of 400.`,
    behaviour: () => fallingOverMember(member, isMissing),
  };
}
