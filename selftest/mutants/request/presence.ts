import type { Json } from '../../service/json.ts';
import { isRecord } from '../../service/json.ts';
import type { NewPet } from '../../service/pet.ts';
import type { Mutant } from '../../subject/mutant.ts';
import type { Member } from '../../subject/reading.ts';
import {
  fallingOver,
  fallingOverMember,
  keepingRaw,
  readingBody,
  readingMember,
} from '../../subject/reading.ts';

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
  {
    id: 'body-missing-taken',
    breaks: ['createPet/request.body.required'],
    summary: 'A request without a body adds a pet made of defaults.',
    behaviour: () =>
      readingBody((body) => (body === undefined ? { name: 'New pet', categoryId: 1n } : body)),
  },
  {
    id: 'body-missing-500',
    breaks: ['createPet/request.body.required'],
    summary: 'A request without a body runs into a null pointer and is answered 500.',
    behaviour: () => fallingOver((body) => body === undefined),
  },
  {
    id: 'body-empty-object-taken',
    breaks: ['createPet/request.body.name.required', 'createPet/request.body.categoryId.required'],
    summary:
      'An object without members counts as "no data": nothing is checked, and a pet is made of defaults.',
    behaviour: () =>
      readingBody((body) =>
        isRecord(body) && Object.keys(body).length === 0
          ? { name: 'New pet', categoryId: 1n }
          : body,
      ),
  },
  {
    id: 'status-required',
    breaks: ['createPet/request.body.status.optional'],
    summary: 'A body without a status is refused.',
    behaviour: () => readingMember('status', (status) => status ?? 'missing'),
  },
  {
    id: 'status-missing-500',
    breaks: ['createPet/request.body.status.optional', 'createPet/robustness.no-server-error'],
    summary: 'A body without a status violates a NOT NULL of the table and is answered 500.',
    behaviour: () => ({ acceptNewPet: insistOnStatus }),
  },
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

function kebab(member: Member): string {
  return member === 'categoryId' ? 'category-id' : member;
}
