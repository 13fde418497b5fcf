import { type JsonRecord, presentPet, type WireResponse, type Parts } from '../service/service.ts';
import {
  changePet,
  leaveOut,
  hashOrdinal,
  type Variant,
  createVariants,
} from '../subject/subject.ts';

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
      'delivery-chunked': deliver('chunked'),
      'delivery-until-close': deliver('closed'),
      'delivery-early-hints': [
        deliver('hinted'),
        'RFC 9110 section 15.2: a client accepts any number of interim responses before the final one.',
      ],
      'header-close': [
        { finish: (wire) => ({ ...wire, headers: { ...wire.headers, Connection: 'close' } }) },
        'RFC 9112 section 9.6: a server may close a connection after any response.',
      ],
      'header-padded': [
        mapHeaders((name, value) => (name.startsWith('X-RateLimit') ? `  ${value}  ` : value)),
        'RFC 9110 section 5.5: white space around a value does not belong to it.',
      ],
      'header-reset-fraction': [
        mapHeaders((name, value) => (name === 'X-RateLimit-Reset' ? `${value}.481` : value)),
        'Limits / Rate limit headers: Reset is a Unix timestamp; that it is a whole number is not said.',
      ],
      'header-no-challenge': [
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
    'delivery-jittery': { arrive: ({ sleep, ordinal }) => sleep(hashOrdinal(ordinal) % 60) },
    'delivery-slow-once': {
      arrive: ({ sleep, ordinal }) => (ordinal === 1 ? sleep(300) : undefined),
    },
  }),
  ...createVariants(
    'Resources: the shapes name the fields that have to be there and exclude no others (JSON Schema: additional properties are allowed).',
    {
      'member-beyond-a-double': extend({ chip: 10n ** 400n - 1n }),
      'member-awkward-names': extend({
        ['__proto__']: 1n,
        constructor: null,
        toString: 'x',
        '': true,
        '/~': 0n,
      }),
      'member-short-in-list': [
        changePet('list', (pet) => ({ ...pet, status: undefined })),
        'Resources / Pet: `status` is not required.',
      ],
    },
  ),
  ...createVariants(
    'Errors / Gaps: the set of values that `code` takes is not shown (x-unspecified error-codes).',
    {
      'error-long-message': [
        changeError((status) => ({ message: `Status ${status}\n${'请求无效。'.repeat(300)}` })),
        'Resources / Error: `message` is a human-readable description, whose language is not said.',
      ],
      'error-status-phrase': changeError((status) => ({ code: phrases[status] ?? 'ERROR' })),
      'error-one-code': changeError(() => ({ code: 'E1' })),
    },
  ),
];
