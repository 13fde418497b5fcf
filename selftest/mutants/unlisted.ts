import type { Call, Parts, ServiceResponse } from '../service/behaviour.ts';
import { type Mutant, createMutants } from '../subject/mutant.ts';

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
  'unlisted-finding-list': [
    'A wrong parameter of a list is answered 422 with a list below `detail`.',
    unlisted({
      status: 422,
      body: { detail: [{ loc: ['query', 'limit'], msg: 'value is not valid' }] },
    }),
  ],
  'unlisted-status-other': [
    'A wrong parameter of a list is answered 422, and 400 in the body.',
    unlisted({ status: 422 }),
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
});
