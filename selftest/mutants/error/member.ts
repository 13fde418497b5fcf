import type { Mutant } from '../../subject/mutant.ts';
import { changeMembers, loseMembers, type Lost, type Wrong } from '../../subject/member.ts';
import { errorPlaces, notFound, place, refused, unauthorized } from '../../subject/place.ts';

const lost: Lost = {
  'code-missing': ['code', 'the error has no code.'],
  'code-as-error': ['code', 'the code is called `error`.', 'error'],
  'message-missing': ['message', 'the message is hidden, as production settings do.'],
  'message-as-detail': ['message', 'the message is called `detail`.', 'detail'],
  'status-missing': ['status', 'the error does not repeat its status.'],
  'status-as-status-code': ['status', 'the status is called `statusCode`.', 'statusCode'],
};

const wrong: Wrong = {
  'code.type': {
    'code-null': ['the code is null: this error has none yet.', () => null],
    'code-number': ['the code is a number of a table.', () => 1042n],
  },
  'message.type': {
    'message-null': ['the message is null: the exception has none.', () => null],
    'message-array': [
      'the message is an array with one text for each finding.',
      (message) => [message],
    ],
    'message-object': ['the message is an object by language.', (message) => ({ en: message })],
  },
  'status.type': {
    'status-string': ['the status is a string, as JSON:API has it.', String],
    'status-word': ['the status is the word `error`.', () => 'error'],
    'status-null': ['the status is null: it is set after the body was written.', () => null],
  },
  'status.values': {
    'status-500': ['the status in the body is 500, the default of the error class.', () => 500n],
    'status-200': ['the status in the body is 200: it is read before it is set.', () => 200n],
  },
};

const copied = 'the status in the body is 400, as in the handler that it was copied from.';

/** Members of the Error shape that are missing, of a wrong type or untrue, in each status. */
export const errorMemberMutants: readonly Mutant[] = [
  ...errorPlaces.flatMap((each) => [...loseMembers(each, lost), ...changeMembers(each, wrong)]),
  ...[unauthorized, notFound].flatMap((each) =>
    changeMembers(each, { 'status.values': { 'status-400': [copied, () => 400n] } }),
  ),
  ...changeMembers(refused, {
    'status.values': {
      'status-422': ['the status in the body is 422, though 400 is answered.', () => 422n],
    },
  }),
  // The status of one operation's 401 only: its route has a check of its own.
  ...unauthorized.operations.flatMap((operation) =>
    changeMembers(
      place(`unauthorized-${operation.toLowerCase()}`, `a 401 of ${operation}`, 401, operation),
      { 'status.values': { 'status-403': ['the status in the body is 403.', () => 403n] } },
    ),
  ),
];
