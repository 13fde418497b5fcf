import type { Parts } from '../../service/behaviour.ts';
import { type Json, renderJson } from '../../service/json.ts';
import { changeMembers, loseMembers } from '../../subject/member.ts';
import { type Mutant, createMutants } from '../../subject/mutant.ts';
import {
  created,
  errorPlaces,
  listed,
  refused,
  requiredAt,
  requirementsAt,
} from '../../subject/place.ts';
import {
  changeBody,
  changeRecord,
  changeText,
  changeWireResponse,
  textOf,
} from '../../subject/response-change.ts';

const changingLists = (change: (items: readonly Json[]) => Json): Parts =>
  changeBody(listed, (body) => (Array.isArray(body) ? change(body) : body));

const changingEmptyLists = (instead: Json): Parts => ({
  seed: () => [],
  ...changingLists((items) => (items.length === 0 ? instead : items)),
});

const capitals = [
  'the status is the name of the constant, in upper case.',
  (status: Json) => textOf(status).toUpperCase(),
] as const;

/**
 * Bodies of another form than the document's, as real servers have them: a member of each kind, wrappers,
 * error pages. Those that break one facet of one response each are made for any document.
 */
export const bodyFormMutants: readonly Mutant[] = [
  ...loseMembers(created, {
    'name-missing': ['name', 'the name is not selected.'],
    'name-renamed': ['name', 'the name is called `Name`: the field lost its JSON tag.', 'Name'],
  }),
  ...changeMembers(created, {
    'id.type': {
      'id-string': ['the id is a string, as drivers give 64-bit columns.', textOf],
      'id-object': [
        'the id is `{"value": 1}`: a value object without a serializer of its own.',
        (id) => ({ value: id }),
      ],
    },
    'categoryId.type': {
      'category-link': [
        'categoryId is a link to the category.',
        (id) => `/v1/categories/${textOf(id)}`,
      ],
    },
    'status.values': {
      'status-upper-case': capitals,
      'status-capital': [
        'the status begins with a capital, made for a page.',
        (status) => textOf(status).replace(/^./, (letter) => letter.toUpperCase()),
      ],
    },
  }),
  ...changeMembers(listed, { 'status.values': { 'status-upper-case': capitals } }),
  ...changeMembers(refused, {
    'status.values': {
      'status-500': ['the status in the body is 500, the default of the error class.', () => 500n],
      'status-200': ['the status in the body is 200: it is read before it is set.', () => 200n],
    },
  }),
  ...createMutants(requirementsAt(listed, 'body.type'), {
    'list-in-data': [
      'A list stands in `data`, as wrapped answers have it.',
      changingLists((items) => ({ data: items })),
    ],
    'list-with-total': [
      'A list is an object with `items` and `total`, as paging libraries answer.',
      changingLists((items) => ({ items, total: BigInt(items.length) })),
    ],
    'list-as-text': [
      'A list is encoded twice: a JSON string that holds JSON.',
      changingLists(renderJson),
    ],
    'list-null-if-empty': [
      'An empty list is null: a slice that was never made.',
      changingEmptyLists(null),
    ],
    'list-object-if-empty': [
      'An empty list is an empty object: the language does not tell the two apart.',
      changingEmptyLists({}),
    ],
  }),
  ...createMutants(requiredAt(created), {
    'created-in-data': [
      'In the response to an addition, the pet stands in `data`.',
      changeBody(created, (body) => ({ data: body })),
    ],
    'created-content-text-plain': [
      'The JSON of the response to an addition has the Content-Type text/plain: the serializer gives a string.',
      changeWireResponse(created, (response) => ({
        ...response,
        headers: { ...response.headers, 'Content-Type': 'text/plain' },
      })),
      requirementsAt(created, 'content-type'),
    ],
    'refused-in-error': [
      'The body of a 400 has everything below `error`.',
      changeRecord(refused, (error) => ({ error })),
      requirementsAt(
        refused,
        'body.code.required',
        'body.message.required',
        'body.status.required',
      ),
    ],
  }),
  ...errorPlaces.flatMap((place) =>
    createMutants(requirementsAt(place, 'content-type'), {
      [`${place.name}-page`]: [
        `The body of ${place.words} is the error page of the framework.`,
        {
          ...changeText(place, () => page),
          ...changeWireResponse(place, (response) => ({
            ...response,
            headers: { ...response.headers, 'Content-Type': 'text/html' },
          })),
        },
      ],
    }),
  ),
];

const page =
  '<!DOCTYPE html><html><head><title>Error</title></head><body><pre>Error</pre></body></html>';
