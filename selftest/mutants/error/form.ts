import type { Parts, Call, ServiceResponse } from '../../service/behaviour.ts';
import { isRecord, type Json, type JsonRecord } from '../../service/json.ts';
import {
  changeBody,
  changeRecord,
  changeResponse,
  changeText,
  textOf,
} from '../../subject/response-change.ts';
import {
  type Mutant,
  type Rows,
  createMutant,
  createMutants,
  listMutants,
  phrase,
} from '../../subject/mutant.ts';
import {
  errorPlaces,
  notFound,
  requirementsAt,
  refused,
  unauthorized,
  type Place,
} from '../../subject/place.ts';

/** Errors whose members stand elsewhere or are others altogether. */
function wrapped(place: Place, rows: Rows<(error: JsonRecord) => Json>): readonly Mutant[] {
  return listMutants(
    `${place.name}-`,
    requirementsAt(place, 'body.code.required', 'body.message.required', 'body.status.required'),
    (change: (error: JsonRecord) => Json) => changeRecord(place, change),
    phrase((words) => `The body of ${place.words} ${words}`, rows),
  );
}

function shaped(place: Place, rows: Rows<(body: Json) => Json>): readonly Mutant[] {
  return listMutants(
    `${place.name}-`,
    requirementsAt(place, 'body.type'),
    (change: (body: Json) => Json) => changeBody(place, change),
    phrase((words) => `The body of ${place.words} ${words}`, rows),
  );
}

const page =
  '<!DOCTYPE html><html><head><title>Error</title></head><body><pre>Error</pre></body></html>';

const messageOf = (body: Json): Json => (isRecord(body) ? (body['message'] ?? null) : null);

const placedMutants: readonly Mutant[] = errorPlaces.flatMap((place) => [
  ...wrapped(place, {
    'in-error': ['has everything below `error`.', (error) => ({ error })],
    'empty-object': ['is an empty object: errors have no enumerable members.', () => ({})],
  }),
  ...shaped(place, { 'message-only': ['is the message as a JSON string.', messageOf] }),
  ...createMutants(requirementsAt(place, 'content-type'), {
    [`${place.name}-no-body`]: [
      `There is no body in ${place.words}.`,
      changeResponse(place, (response) => ({ ...response, body: undefined })),
    ],
    [`${place.name}-empty-json`]: [
      `The body of ${place.words} is empty, though its type is JSON.`,
      changeText(place, () => ''),
      requirementsAt(place, 'body'),
    ],
    [`${place.name}-raw-message`]: [
      `The body of ${place.words} is the bare message, though its type is JSON.`,
      changeText(place, () => 'Something is wrong'),
      requirementsAt(place, 'body'),
    ],
    [`${place.name}-page`]: [
      `The body of ${place.words} is the error page of the framework.`,
      {
        ...changeResponse(place, (response) => ({
          ...response,
          headers: { ...response.headers, 'Content-Type': 'text/html' },
        })),
        ...changeText(place, () => page),
      },
    ],
  }),
]);

const singleMutants: readonly Mutant[] = [
  ...wrapped(refused, {
    'in-errors': ['is a list below `errors`.', (error) => ({ errors: [error] })],
    'by-member': [
      'has the findings by member, as forms do.',
      () => ({ name: ['This field is required.'] }),
    ],
    'detail-list': [
      'has a list below `detail`.',
      () => ({
        detail: [{ loc: ['body', 'name'], msg: 'field required', type: 'value_error.missing' }],
      }),
    ],
  }),
  ...wrapped(unauthorized, {
    oauth: [
      'has the members of OAuth.',
      () => ({ error: 'invalid_token', error_description: 'The access token is unknown.' }),
    ],
  }),
  ...wrapped(notFound, {
    'success-false': [
      'is `{"success": false}` with a text.',
      (error) => ({ success: false, error: error['message'] ?? null }),
    ],
  }),
  ...shaped(refused, { array: ['is an array of errors.', (body) => [body]] }),
  ...shaped(notFound, { null: ['is null: the pet that was not found.', () => null] }),
  ...shaped(unauthorized, { false: ['is false.', () => false] }),
  ...errorPlaces.map((place) =>
    createMutant(
      `${place.name}-problem-members`,
      requirementsAt(place, 'body.code.required', 'body.message.required'),
      `The body of ${place.words} has the members of a problem report (RFC 9457): type, title, detail, status.`,
      changeRecord(place, ({ code, message, status }) => ({
        type: `/errors/${textOf(code ?? null)}`,
        title: 'Error',
        detail: message ?? '',
        status: status ?? null,
      })),
    ),
  ),
];

const shape = '*/errors.shape';

/** Errors of requests that the document does not describe: they have the Error shape too. */
function unlisted(
  change: Partial<ServiceResponse> | ((response: ServiceResponse) => Partial<ServiceResponse>),
  fits: (call: Call) => boolean = isListCall,
): Parts {
  return {
    render: (response, call) => {
      if (response.status < 400 || call.key === undefined || !fits(call)) return response;
      return { ...response, ...(typeof change === 'function' ? change(response) : change) };
    },
  };
}

function isListCall({ target, method }: Call): boolean {
  return method === 'GET' && /\/pets(\?|$)/.test(target);
}

const unlistedMutants = createMutants([shape], {
  'unlisted-no-body': [
    'The 400 of a list with a wrong parameter has no body.',
    unlisted({ body: undefined }),
  ],
  'unlisted-wrapped': [
    'The 400 of a list with a wrong parameter has its members below `error`.',
    unlisted(({ body = null }) => ({ body: { error: body } })),
  ],
  'unlisted-finding-list': [
    'A wrong parameter of a list is answered 422 with a list below `detail`.',
    unlisted({
      status: 422,
      body: { detail: [{ loc: ['query', 'limit'], msg: 'value is not valid' }] },
    }),
  ],
  'unlisted-message-array': [
    'The 400 of a list with a wrong parameter has an array of messages.',
    unlisted({
      body: { code: 'bad_request', message: ['limit must not be greater than 100'], status: 400n },
    }),
  ],
  'unlisted-status-string': [
    'The 400 of a list with a wrong parameter has its status as a string.',
    unlisted({ body: { code: 'bad_request', message: 'limit is wrong', status: '400' } }),
  ],
  'unlisted-status-other': [
    'A wrong parameter of a list is answered 422, and 400 in the body.',
    unlisted({ status: 422 }),
    ['*/errors.status'],
  ],
  'unlisted-status-500': [
    'The 400 of a list with a wrong parameter says 500 in the body.',
    unlisted({ body: { code: 'failure', message: 'limit is wrong', status: 500n } }),
    ['*/errors.status'],
  ],
  'unlisted-content-type': [
    'The 400 of a list with a wrong parameter is JSON with the Content-Type text/html.',
    unlisted(({ headers }) => ({ headers: { ...headers, 'Content-Type': 'text/html' } })),
  ],
  'unlisted-letters': [
    'A petId of letters is answered 400 with the members that the framework gives.',
    unlisted(
      {
        status: 400,
        body: {
          timestamp: '2026-01-05T12:00:10Z',
          status: 400n,
          error: 'Bad Request',
          path: '/v1/pets/abc',
        },
      },
      ({ target }) => target.endsWith('/abc'),
    ),
  ],
  'unlisted-malformed': [
    'A body that is no JSON is answered 422 with a text of the parser.',
    unlisted(
      { status: 422, body: 'Unterminated string in JSON' },
      ({ method, body }) => method === 'POST' && body.at(0) === 0x7b && body.at(-1) !== 0x7d,
    ),
  ],
});

/** Errors that are built another way than documented, or have no body. */
export const errorFormMutants: readonly Mutant[] = [
  ...placedMutants,
  ...singleMutants,
  ...unlistedMutants,
];
