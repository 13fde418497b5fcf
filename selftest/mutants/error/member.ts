import type { Json, JsonRecord } from '../../service/json.ts';
import {
  changeRecord,
  createMutant,
  rename,
  replace,
  without,
} from '../../subject/response-change.ts';
import type { Mutant } from '../../subject/mutant.ts';
import {
  errorPlaces,
  notFound,
  requirementsAt,
  refused,
  unauthorized,
  type Place,
} from '../../subject/place.ts';

/** One thing that an error handler does to a member of the Error shape. */
interface Way {
  readonly id: string;
  readonly facet: string;
  /** In words that follow "In a 400, ". */
  readonly words: string;
  readonly change: (error: JsonRecord) => Json;
}

function member(id: string, facet: string, words: string, change: (value: Json) => Json): Way {
  const [name = ''] = facet.split('.');
  return { id, facet, words, change: (error) => replace(error, name, change) };
}

function at(place: Place, { id, facet, words, change }: Way): Mutant {
  return createMutant(
    `${place.name}-${id}`,
    requirementsAt(place, `body.${facet}`),
    `In ${place.words}, ${words}`,
    changeRecord(place, change),
  );
}

const ways: readonly Way[] = [
  {
    id: 'code-missing',
    facet: 'code.required',
    words: 'the error has no code.',
    change: (error) => without(error, 'code'),
  },
  {
    id: 'code-as-error',
    facet: 'code.required',
    words: 'the code is called `error`.',
    change: (error) => rename(error, 'code', 'error'),
  },
  member('code-null', 'code.type', 'the code is null: this error has none yet.', () => null),
  member('code-number', 'code.type', 'the code is a number of a table.', () => 1042n),
  {
    id: 'message-missing',
    facet: 'message.required',
    words: 'the message is hidden, as production settings do.',
    change: (error) => without(error, 'message'),
  },
  {
    id: 'message-as-detail',
    facet: 'message.required',
    words: 'the message is called `detail`.',
    change: (error) => rename(error, 'message', 'detail'),
  },
  member(
    'message-null',
    'message.type',
    'the message is null: the exception has none.',
    () => null,
  ),
  member(
    'message-array',
    'message.type',
    'the message is an array with one text for each finding.',
    (message) => [message],
  ),
  member('message-object', 'message.type', 'the message is an object by language.', (message) => ({
    en: message,
  })),
  {
    id: 'status-missing',
    facet: 'status.required',
    words: 'the error does not repeat its status.',
    change: (error) => without(error, 'status'),
  },
  {
    id: 'status-as-status-code',
    facet: 'status.required',
    words: 'the status is called `statusCode`.',
    change: (error) => rename(error, 'status', 'statusCode'),
  },
  member('status-string', 'status.type', 'the status is a string, as JSON:API has it.', String),
  member('status-word', 'status.type', 'the status is the word `error`.', () => 'error'),
  member(
    'status-null',
    'status.type',
    'the status is null: it is set after the body was written.',
    () => null,
  ),
  member(
    'status-500',
    'status.values',
    'the status in the body is 500, the default of the error class.',
    () => 500n,
  ),
  member(
    'status-200',
    'status.values',
    'the status in the body is 200: it is read before it is set.',
    () => 200n,
  ),
];

const copied = member(
  'status-400',
  'status.values',
  'the status in the body is 400, as in the handler that it was copied from.',
  () => 400n,
);

/** The status of one operation's 401 only: its route has a check of its own. */
const ownRouteMutants: readonly Mutant[] = unauthorized.operations.map((operation) =>
  at(
    {
      ...unauthorized,
      name: `unauthorized-${operation.toLowerCase()}`,
      words: `a 401 of ${operation}`,
      operations: [operation],
    },
    member('status-403', 'status.values', 'the status in the body is 403.', () => 403n),
  ),
);

/** Members of the Error shape that are missing, of a wrong type or untrue, in each status. */
export const errorMemberMutants: readonly Mutant[] = [
  ...errorPlaces.flatMap((place) => ways.map((way) => at(place, way))),
  at(unauthorized, copied),
  at(notFound, copied),
  at(
    refused,
    member(
      'status-422',
      'status.values',
      'the status in the body is 422, though 400 is answered.',
      () => 422n,
    ),
  ),
  ...ownRouteMutants,
];
