import type { Parts, WireResponse } from '../service/behaviour.ts';
import type { JsonRecord } from '../service/json.ts';
import { presentPet } from '../service/pet.ts';
import { changePet, leaveOut, scatter } from '../subject/alter.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

const deliver = (delivery: WireResponse['delivery']): Parts => ({
  finish: (wire) => ({ ...wire, delivery }),
});

const mapHeaders = (change: (name: string, value: string) => string): Parts => ({
  finish: (wire) => ({
    ...wire,
    headers: Object.fromEntries(
      Object.entries(wire.headers).map(([name, value]) => [name, change(name, value)]),
    ),
  }),
});

function extend(extra: JsonRecord): Parts {
  const present: (pet: Parameters<typeof presentPet>[0]) => JsonRecord = (pet) => ({
    ...extra,
    ...presentPet(pet),
  });
  return { presentItem: present, presentInList: present, presentCreated: present };
}

const changeError = (change: (status: number) => JsonRecord): Parts => ({
  renderError: ({ status, code, reason }) => ({
    code,
    message: reason,
    status: BigInt(status),
    ...change(status),
  }),
});

const phrases: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
};

/** How responses are sent, which headers they have, and members beyond those of the document. */
export const responseVariants: readonly Variant[] = [
  ...createVariants(
    'RFC 9112 section 6: how the body of a response is framed carries no meaning.',
    {
      'delivery-chunked': [
        'Bodies come in chunks of seven bytes, which split characters.',
        deliver('chunked'),
      ],
      'delivery-until-close': [
        'A body ends where the connection does, without a length.',
        deliver('closed'),
      ],
      'delivery-early-hints': [
        'A 103 comes before each response.',
        deliver('hinted'),
        'RFC 9110 section 15.2: a client accepts any number of interim responses before the final one.',
      ],
      'header-close': [
        'Every connection is closed after its response.',
        { finish: (wire) => ({ ...wire, headers: { ...wire.headers, Connection: 'close' } }) },
        'RFC 9112 section 9.6: a server may close a connection after any response.',
      ],
      'header-padded': [
        'Values of the rate-limit headers have spaces around them.',
        mapHeaders((name, value) => (name.startsWith('X-RateLimit') ? `  ${value}  ` : value)),
        'RFC 9110 section 5.5: white space around a value does not belong to it.',
      ],
      'header-reset-fraction': [
        'Reset has the milliseconds of the clock behind the point.',
        mapHeaders((name, value) => (name === 'X-RateLimit-Reset' ? `${value}.481` : value)),
        'Limits / Rate limit headers: Reset is a Unix timestamp; that it is a whole number is not said.',
      ],
      'header-no-challenge': [
        'A 401 has no challenge.',
        {
          render: (response) => ({
            ...response,
            headers: leaveOut(response.headers, 'WWW-Authenticate'),
          }),
        },
        'Authentication: the 401 is documented with an Error body; the interface names no WWW-Authenticate.',
      ],
    },
  ),
  ...createVariants('The interface names no time within which a response has to come.', {
    'delivery-jittery': [
      'Responses take 0 to 60 milliseconds, so that later requests overtake earlier ones.',
      { arrive: ({ sleep, ordinal }) => sleep(scatter(ordinal) % 60) },
    ],
    'delivery-slow-once': [
      'The first request takes 300 milliseconds: the service has to wake up.',
      { arrive: ({ sleep, ordinal }) => (ordinal === 1 ? sleep(300) : undefined) },
    ],
  }),
  ...createVariants(
    'Resources: the shapes name the fields that have to be there and exclude no others (JSON Schema: additional properties are allowed).',
    {
      'member-beyond-a-double': [
        'A further member holds an integer of 400 digits.',
        extend({ chip: 10n ** 400n - 1n }),
      ],
      'member-awkward-names': [
        'Further members have names that objects of the language have too.',
        extend({ ['__proto__']: 1n, constructor: null, toString: 'x', '': true, '/~': 0n }),
      ],
      'member-short-in-list': [
        'Lists leave out the status, which a pet that is fetched alone has.',
        changePet('list', (pet) => ({ ...pet, status: undefined })),
        'Resources / Pet: `status` is not required.',
      ],
    },
  ),
  ...createVariants(
    'Errors / Gaps: the set of values that `code` takes is not shown (x-unspecified error-codes).',
    {
      'error-long-message': [
        'Error messages have many lines, in Chinese.',
        changeError((status) => ({ message: `Status ${status}\n${'请求无效。'.repeat(300)}` })),
        'Resources / Error: `message` is a human-readable description, whose language is not said.',
      ],
      'error-status-phrase': [
        'Codes are reason phrases in capitals.',
        changeError((status) => ({ code: phrases[status] ?? 'ERROR' })),
      ],
      'error-one-code': ['All errors have the same code.', changeError(() => ({ code: 'E1' }))],
    },
  ),
];
