import type { Parts } from '../../service/behaviour.ts';
import { checkName } from '../../service/new-pet.ts';
import { type Mutant, listMutants, needing } from '../../subject/mutant.ts';
import { changingPet, failingOn, readRequirements } from '../../subject/pet-change.ts';

const refusing = (isRefused: (name: string) => boolean): Parts => ({
  checkName: (value) =>
    checkName(value) ??
    (typeof value === 'string' && isRefused(value) ? 'name is reserved.' : undefined),
});

const rewriting = (rewrite: (name: string) => string): Parts =>
  changingPet('everywhere', (pet) => ({ ...pet, name: rewrite(pet.name) }));

const reading = (rewrite: (name: string) => string): Parts =>
  changingPet('item', (pet) => ({ ...pet, name: rewrite(pet.name) }));

const taken = ['createPet/request.body.name.taken'] as const;

/** Names that are one word as a whole, which careless code takes for something else. */
export const wordMutants: readonly Mutant[] = needing('more', [
  ...listMutants('name-word-', taken, refusing, {
    'null-refused': ['The name `null` is refused as a missing one.', (name) => name === 'null'],
    'numeric-refused': [
      'A name that reads as a number is refused: it is no text to the validator.',
      (name) => name.trim() !== '' && Number.isFinite(Number(name)),
    ],
  }),
  ...listMutants('name-word-', readRequirements('name', 'everywhere'), rewriting, {
    'number-normalised': [
      'A name that reads as a number comes back as that is written: `7` for `007`.',
      (name) => (/^-?\d+(\.\d+)?(e\d+)?$/.test(name) ? String(Number(name)) : name),
    ],
  }),
  ...listMutants('name-word-', readRequirements('name', 'item'), reading, {
    'prototype-lost': [
      'The name `__proto__` is lost where names are the keys of an object.',
      (name) => (name === '__proto__' ? '' : name),
    ],
  }),
  ...listMutants(
    'name-word-',
    [...taken, 'createPet/robustness.no-server-error'],
    (isFatal: (name: string) => boolean): Parts => failingOn(({ name }) => isFatal(name)),
    {
      'constructor-500': [
        'The name `constructor` is looked up in an object, and what is found is called.',
        (name) => name === 'constructor',
      ],
      'json-500': [
        'A name that reads as JSON is parsed as such and breaks a list.',
        (name) => name === '[]' || name === '{}',
      ],
    },
  ),
]);
