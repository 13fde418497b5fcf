import type { Json, JsonRecord } from '../../service/json.ts';
import {
  changeRecord,
  createMutant,
  rename,
  replace,
  without,
  textOf,
} from '../../subject/response-change.ts';
import type { Mutant } from '../../subject/mutant.ts';
import { requirementsAt, petPlaces } from '../../subject/place.ts';

/** One thing that a serializer does to a member of a pet, wherever the pet is answered. */
interface Way {
  readonly id: string;
  /** The facet that it breaks, below the pet. */
  readonly facet: string;
  /** What it does, in words that follow "In a list, ". */
  readonly words: string;
  readonly change: (pet: JsonRecord) => Json;
}

function member(id: string, facet: string, words: string, change: (value: Json) => Json): Way {
  const [name = ''] = facet.split('.');
  return { id, facet, words, change: (pet) => replace(pet, name, change) };
}

const idWays: readonly Way[] = [
  {
    id: 'id-missing',
    facet: 'id.required',
    words: 'a view hides the primary key.',
    change: (pet) => without(pet, 'id'),
  },
  {
    id: 'id-renamed',
    facet: 'id.required',
    words: 'the id is called `_id`, as the database has it.',
    change: (pet) => rename(pet, 'id', '_id'),
  },
  member('id-null', 'id.type', 'the id is null: the row was not read back.', () => null),
  member('id-string', 'id.type', 'the id is a string, as drivers give 64-bit columns.', textOf),
  member(
    'id-object',
    'id.type',
    'the id is `{"value": 1}`: a value object without a serializer of its own.',
    (id) => ({ value: id }),
  ),
  member(
    'id-fraction',
    'id.type',
    'half of the id is answered: a column of decimals.',
    (id) => Number(id) + 0.5,
  ),
];

const nameWays: readonly Way[] = [
  {
    id: 'name-missing',
    facet: 'name.required',
    words: 'the name is not selected.',
    change: (pet) => without(pet, 'name'),
  },
  {
    id: 'name-renamed',
    facet: 'name.required',
    words: 'the name is called `Name`: the field lost its JSON tag.',
    change: (pet) => rename(pet, 'name', 'Name'),
  },
  member('name-null', 'name.type', 'the name is null: the column is not loaded.', () => null),
  member('name-object', 'name.type', 'the name is an object of translations.', (name) => ({
    en: name,
  })),
  member(
    'name-array',
    'name.type',
    'the name is an array, as header and form parsers give values.',
    (name) => [name],
  ),
];

const categoryWays: readonly Way[] = [
  {
    id: 'category-missing',
    facet: 'categoryId.required',
    words: 'the foreign key is left out.',
    change: (pet) => without(pet, 'categoryId'),
  },
  {
    id: 'category-snake',
    facet: 'categoryId.required',
    words: 'the foreign key is called `category_id`, as the column is.',
    change: (pet) => rename(pet, 'categoryId', 'category_id'),
  },
  member(
    'category-null',
    'categoryId.type',
    'categoryId is null: the join found nothing.',
    () => null,
  ),
  member('category-string', 'categoryId.type', 'categoryId is a string.', textOf),
  member(
    'category-object',
    'categoryId.type',
    'categoryId is the whole category: the relation is loaded eagerly.',
    (id) => ({ id, name: 'Dogs' }),
  ),
  member(
    'category-link',
    'categoryId.type',
    'categoryId is a link to the category.',
    (id) => `/v1/categories/${textOf(id)}`,
  ),
];

const statusWays: readonly Way[] = [
  {
    id: 'status-null',
    facet: 'status.type',
    words: 'the status of every pet is null.',
    change: (pet) => ({ ...pet, status: null }),
  },
  member(
    'status-number',
    'status.type',
    'the status is the ordinal of its enumeration.',
    (status) => BigInt(['available', 'pending', 'sold'].indexOf(textOf(status))),
  ),
  member(
    'status-boolean',
    'status.type',
    'the status is true where the pet is available, else false.',
    (status) => status === 'available',
  ),
  member(
    'status-object',
    'status.type',
    'the status is an object with code and label.',
    (status) => ({ code: status, label: textOf(status) }),
  ),
  member(
    'status-upper-case',
    'status.values',
    'the status is the name of the constant, in upper case.',
    (status) => textOf(status).toUpperCase(),
  ),
  member(
    'status-capital',
    'status.values',
    'the status begins with a capital, made for a page.',
    (status) => textOf(status).replace(/^./, (letter) => letter.toUpperCase()),
  ),
  member('status-empty', 'status.values', 'the status is an empty string.', () => ''),
  member(
    'status-unknown',
    'status.values',
    'the status is `unknown`, whatever it was.',
    () => 'unknown',
  ),
];

/**
 * Members of a pet that are missing, null, of a wrong type or outside the enumeration, in one kind
 * of response each.
 */
export const bodyMemberMutants: readonly Mutant[] = [
  ...idWays,
  ...nameWays,
  ...categoryWays,
  ...statusWays,
].flatMap(({ id, facet, words, change }) =>
  petPlaces.map((place) =>
    createMutant(
      `${place.name}-${id}`,
      requirementsAt(place, `${place.pet}.${facet}`),
      `In ${place.words}, ${words}`,
      changeRecord(place, change),
    ),
  ),
);
