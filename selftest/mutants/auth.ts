import { everyOperation, isCallOf } from '../subject/place.ts';
import {
  type Call,
  type Parts,
  type ServiceBehaviour,
  type ServiceResponse,
  isRefusal,
} from '../service/behaviour.ts';
import { authenticate, plans } from '../service/credentials.ts';
import { refuse, respond } from '../service/operations.ts';
import { type Mutant, createMutants, listMutants } from '../subject/mutant.ts';

const exact = ['*/auth.exact'] as const;

/** The key that a wrongly accepted request is counted on: its own, so that no count is wrong. */
const ownKey = 'guest';

/** Accepts further credentials. */
function accepting(
  accepts: (...asked: Parameters<ServiceBehaviour['authenticate']>) => boolean,
): Parts {
  return {
    authenticate: (...asked) => authenticate(asked[0]) ?? (accepts(...asked) ? ownKey : undefined),
  };
}

function tokenOf(authorization: string | undefined): string {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

const skipped: readonly Mutant[] = [
  ...createMutants([...everyOperation('auth.invalid'), ...exact], {
    'auth-missing-accepted': [
      'Requests without a key are served as those of a guest.',
      accepting((authorization) => authorization === undefined),
      everyOperation('auth.missing'),
    ],
    'auth-reads-open': [
      'GET requests are not authenticated at all.',
      accepting((_sent, route) => isCallOf('listPets', { route }) || isCallOf('getPet', { route })),
      [
        'listPets/auth.missing',
        'getPet/auth.missing',
        'listPets/auth.invalid',
        'getPet/auth.invalid',
        '*/auth.scheme',
        ...exact,
      ],
    ],
  }),
];

/** A service that looks for the pet before it looks at some keys. */
const lookingFirst = (isLate: (authorization: string | undefined) => boolean): Parts => ({
  respond: async (call, all) => {
    const { route, key, headers } = call;
    const isLookedUp = key === undefined && isLate(headers.authorization);
    const pet =
      isLookedUp && route.kind === 'operation' && isCallOf('getPet', call)
        ? all.find(route.petId, call)
        : undefined;
    return isRefusal(pet) ? refuse(pet, call, all) : respond(call, all);
  },
});

/** Two faults at once: no valid key, and an identifier that nothing has. */
const late: readonly Mutant[] = [
  ...listMutants(
    'auth-after-lookup',
    ['getPet/auth.missing', 'getPet/auth.invalid'],
    lookingFirst,
    {
      '': ['An identifier is looked up before the key is checked: 404 instead of 401.', () => true],
    },
  ),
];

function comparing(matches: (token: string, key: string) => boolean): Parts {
  return accepting((authorization) => {
    const token = tokenOf(authorization);
    return token !== '' && [...plans.keys()].some((key) => matches(token, key));
  });
}

const loose: readonly Mutant[] = [
  ...listMutants('auth-', exact, comparing, {
    'token-starts-key': [
      'A key may be cut: it is looked up by its first characters.',
      (token, key) => key.startsWith(token),
    ],
    'key-starts-token': [
      'A key may be longer: only as many characters are compared as the right one has.',
      (token, key) => token.startsWith(key),
    ],
    'other-case': [
      'Keys are compared without regard to case, as the collation of the database has it.',
      (token, key) => token.toLowerCase() === key.toLowerCase(),
    ],
    'first-eight': [
      'Only the first eight characters of a key are compared.',
      (token, key) => token.slice(0, 8) === key.slice(0, 8),
    ],
  }),
  ...createMutants(['listPets/auth.invalid', ...everyOperation('auth.invalid'), ...exact], {
    'auth-inherited-name': [
      'Keys are looked up as members of an object: a name that every object has is found.',
      accepting((authorization) => tokenOf(authorization) in {}),
    ],
  }),
  ...createMutants(exact, {
    'auth-word-behind': [
      'The second word is the key, whatever follows.',
      accepting((sent) => /^bearer /i.test(sent ?? '') && plans.has(sent?.split(' ')[1] ?? '')),
    ],
  }),
  ...createMutants(['*/auth.scheme'], {
    'auth-empty-token': [
      'An empty token is no key and no wrong one: it is served as that of a guest.',
      accepting((authorization) => /^bearer *$/i.test(authorization ?? '')),
    ],
    'auth-no-scheme': [
      'The key will do without its scheme: what stands before it is replaced by nothing.',
      accepting((authorization) => plans.has(authorization ?? '')),
    ],
    'auth-last-word': [
      'The last word is the key, whatever stands before it.',
      accepting((authorization) => plans.has(authorization?.split(' ').at(-1) ?? '')),
    ],
  }),
];

/** Whatever credential is wrong. */
const every = [
  ...everyOperation('auth.missing'),
  ...everyOperation('auth.invalid'),
  '*/auth.scheme',
  ...exact,
] as const;

const remembered = createMutants(every, {
  'auth-once-per-connection': [
    'The key is checked once for each connection: later requests over it are served with any key and none.',
    () => remembering(() => true),
  ],
  'auth-connection-without-key': [
    'A request without a key is served with that of the request before it on its connection.',
    () => remembering(({ headers }) => headers.authorization === undefined),
    everyOperation('auth.missing'),
  ],
  'auth-read-before': [
    'A cache before the authentication answers lists that someone was allowed to see.',
    cachingBeforeAuth,
    ['listPets/auth.missing', 'listPets/auth.invalid', '*/auth.scheme', ...exact],
  ],
});

function remembering(isServed: (call: Call) => boolean): Parts {
  const known = new Set<string>();
  return {
    respond: (call, all) => {
      if (call.key !== undefined) known.add(call.connection);
      const isRemembered = call.key === undefined && known.has(call.connection) && isServed(call);
      return respond(isRemembered ? { ...call, key: ownKey } : call, all);
    },
  };
}

/** Lists are kept by their target until a pet is added, and so are shown to everybody. */
function cachingBeforeAuth(): Parts {
  const saved = new Map<string, ServiceResponse>();
  return {
    respond: async (call, all) => {
      const name = `${call.target} ${call.inventory.pets.size}`;
      const before = isCallOf('listPets', call) ? saved.get(name) : undefined;
      if (before) return before;
      const response = await respond(call, all);
      if (response.status === 200 && isCallOf('listPets', call)) saved.set(name, response);
      return response;
    },
  };
}

/** Credentials that are not asked for, or compared loosely. */
export const authMutants: readonly Mutant[] = [...skipped, ...late, ...loose, ...remembered];
