import {
  changeMember,
  changeMembers,
  loseMembers,
  type Lost,
  type Wrong,
} from '../../subject/member.ts';
import type { Mutant } from '../../subject/mutant.ts';
import { petPlaces } from '../../subject/place.ts';
import { textOf } from '../../subject/response-change.ts';

const lost: Lost = {
  'id-missing': ['id', 'a view hides the primary key.'],
  'id-renamed': ['id', 'the id is called `_id`, as the database has it.', '_id'],
  'name-missing': ['name', 'the name is not selected.'],
  'name-renamed': ['name', 'the name is called `Name`: the field lost its JSON tag.', 'Name'],
  'category-missing': ['categoryId', 'the foreign key is left out.'],
  'category-snake': [
    'categoryId',
    'the foreign key is called `category_id`, as the column is.',
    'category_id',
  ],
};

const wrong: Wrong = {
  'id.type': {
    'id-null': ['the id is null: the row was not read back.', () => null],
    'id-string': ['the id is a string, as drivers give 64-bit columns.', textOf],
    'id-object': [
      'the id is `{"value": 1}`: a value object without a serializer of its own.',
      (id) => ({ value: id }),
    ],
    'id-fraction': ['half of the id is answered: a column of decimals.', (id) => Number(id) + 0.5],
  },
  'name.type': {
    'name-null': ['the name is null: the column is not loaded.', () => null],
    'name-object': ['the name is an object of translations.', (name) => ({ en: name })],
    'name-array': [
      'the name is an array, as header and form parsers give values.',
      (name) => [name],
    ],
  },
  'categoryId.type': {
    'category-null': ['categoryId is null: the join found nothing.', () => null],
    'category-string': ['categoryId is a string.', textOf],
    'category-object': [
      'categoryId is the whole category: the relation is loaded eagerly.',
      (id) => ({ id, name: 'Dogs' }),
    ],
    'category-link': [
      'categoryId is a link to the category.',
      (id) => `/v1/categories/${textOf(id)}`,
    ],
  },
  'status.type': {
    'status-number': [
      'the status is the ordinal of its enumeration.',
      (status) => BigInt(['available', 'pending', 'sold'].indexOf(textOf(status))),
    ],
    'status-boolean': [
      'the status is true where the pet is available, else false.',
      (status) => status === 'available',
    ],
    'status-object': [
      'the status is an object with code and label.',
      (status) => ({ code: status, label: textOf(status) }),
    ],
  },
  'status.values': {
    'status-upper-case': [
      'the status is the name of the constant, in upper case.',
      (status) => textOf(status).toUpperCase(),
    ],
    'status-capital': [
      'the status begins with a capital, made for a page.',
      (status) => textOf(status).replace(/^./, (letter) => letter.toUpperCase()),
    ],
    'status-empty': ['the status is an empty string.', () => ''],
    'status-unknown': ['the status is `unknown`, whatever it was.', () => 'unknown'],
  },
};

/** Members of a pet that are missing, null, of a wrong type or not in the enumeration. */
export const bodyMemberMutants: readonly Mutant[] = petPlaces.flatMap((place) => [
  ...loseMembers(place, lost),
  ...changeMembers(place, wrong),
  changeMember(place, 'status-null', 'status.type', 'the status of every pet is null.', (pet) => ({
    ...pet,
    status: null,
  })),
]);
