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

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

const taken = ['createPet/request.body.name.taken'] as const;

/** Names that are one word as a whole, which careless code takes for something else. */
export const wordMutants: readonly Mutant[] = needing('more', [
  ...listMutants('name-word-', taken, refusing, {
    'null-refused': ['The name `null` is refused as a missing one.', (name) => name === 'null'],
    'nothing-refused': [
      'Names that read as nothing are refused as missing ones.',
      (name) => /^(null|undefined|none|nan)$/i.test(name),
    ],
    'numeric-refused': [
      'A name that reads as a number is refused: it is no text to the validator.',
      (name) => name.trim() !== '' && Number.isFinite(Number(name)),
    ],
    'digits-after-zero-refused': [
      'The name `007` is refused: a number starts with no zero.',
      (name) => /^0\d+$/.test(name),
    ],
    'boolean-refused': [
      'A name that reads as a boolean is refused.',
      (name) => /^(true|false|no)$/.test(name),
    ],
    'inherited-refused': [
      'Names that every object has are refused, as a defence against polluted prototypes.',
      (name) => inherited.has(name),
    ],
  }),
  ...listMutants('name-word-', readRequirements('name', 'everywhere'), rewriting, {
    'null-emptied': [
      'The name `null` becomes an empty one.',
      (name) => (name === 'null' ? '' : name),
    ],
    'number-normalised': [
      'A name that reads as a number comes back as that is written: `7` for `007`.',
      (name) => (/^-?\d+(\.\d+)?(e\d+)?$/.test(name) ? String(Number(name)) : name),
    ],
    'falsy-unnamed': [
      'A name that is falsy once it was parsed becomes another one.',
      (name) => (['0', 'false', 'null', 'NaN', 'undefined'].includes(name) ? 'unnamed' : name),
    ],
    'yaml-read': [
      'Names are written into YAML without quotes, which reads `no` as false.',
      (name) => (name === 'no' ? 'false' : name),
    ],
  }),
  ...listMutants('name-word-', readRequirements('name', 'item'), reading, {
    'prototype-lost': [
      'The name `__proto__` is lost where names are the keys of an object.',
      (name) => (name === '__proto__' ? '' : name),
    ],
    'inherited-lost': [
      'Names that every object has come back as the source of a function.',
      (name) => (inherited.has(name) ? 'function Object() { [native code] }' : name),
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
