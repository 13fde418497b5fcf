import { changeMember } from '../subject/member.ts';
import { type Mutant, createMutants } from '../subject/mutant.ts';
import { created, listed, refused, requiredAt, requirementsAt } from '../subject/place.ts';
import { changeBody, changeRecord, changeResponse, textOf } from '../subject/response-change.ts';

/** Bodies of another form than the document's: wrapped, or with another status, as a whole. */
export const formMutants: readonly Mutant[] = [
  changeMember(created, 'id-string', 'id.type', 'the id is a string.', (pet) => ({
    ...pet,
    id: textOf(pet['id'] ?? null),
  })),
  ...createMutants(requirementsAt(listed, 'body.type'), {
    'list-in-data': [
      'A list is in `data`, as wrapped responses have it.',
      changeBody(listed, (body) => ({ data: body })),
    ],
  }),
  ...createMutants(requiredAt(created), {
    'created-in-data': [
      'In the response to an addition, the pet is in `data`.',
      changeBody(created, (body) => ({ data: body })),
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
    'created-status-202': [
      'An addition is answered as accepted: 202 instead of 201.',
      changeResponse(created, (response) => ({ ...response, status: 202 })),
      ['createPet/status.201'],
    ],
  }),
];
