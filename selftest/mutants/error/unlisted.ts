import type { Call, Parts, ServiceResponse } from '../../service/behaviour.ts';
import { type Mutant, createMutants } from '../../subject/mutant.ts';

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

/** Errors that no operation lists, in another form than the document's. */
export const unlistedMutants: readonly Mutant[] = createMutants([shape], {
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
