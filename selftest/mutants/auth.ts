import { type Parts, type ServiceBehaviour, isRefusal } from '../service/behaviour.ts';
import { authenticate, plans } from '../service/credentials.ts';
import { refuse, respond } from '../service/operations.ts';
import { isCallOf } from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

/** The key that a wrongly accepted request is counted on: its own, so that no count is wrong. */
const ownKey = 'guest';

type Authenticate = ServiceBehaviour['authenticate'];

/** Accepts further credentials. */
function accepting(accepts: (...args: Parameters<Authenticate>) => boolean): Parts {
  return {
    authenticate: (...args) => authenticate(args[0]) ?? (accepts(...args) ? ownKey : undefined),
  };
}

/** Accepts a token that is like a key. */
function comparing(matches: (token: string, key: string) => boolean): Parts {
  return accepting((authorization) => {
    const token = tokenOf(authorization);
    return token !== '' && [...plans.keys()].some((key) => matches(token, key));
  });
}

function tokenOf(authorization: string | undefined): string {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** Serves requests without a valid key over a connection that has shown one. */
function remembering(): Parts {
  const known = new Set<string>();
  return {
    respond: (call, all) => {
      if (call.key !== undefined) known.add(call.connection);
      const isRemembered = call.key === undefined && known.has(call.connection);
      return respond(isRemembered ? { ...call, key: ownKey } : call, all);
    },
  };
}

const lookingUpFirst: Parts = {
  respond: (call, all) => {
    const { key, route } = call;
    const pet =
      key === undefined && route.kind === 'operation' && isCallOf('getPet', call)
        ? all.find(route.petId, call)
        : undefined;
    return isRefusal(pet) ? Promise.resolve(refuse(pet, call, all)) : respond(call, all);
  },
};

/** Credentials that are not checked, or compared loosely. */
export const authMutants: readonly Mutant[] = [
  ...createMutants('{listPets,createPet,getPet}/auth.missing', {
    'auth-missing-accepted': [
      'Requests without a key are served as those of a guest.',
      accepting((authorization) => authorization === undefined),
    ],
    'auth-reads-open': [
      'GET requests are not authenticated at all.',
      accepting((_sent, route) => isCallOf('listPets', { route }) || isCallOf('getPet', { route })),
      '{listPets,getPet}/auth.{missing,invalid} */auth.{scheme,exact}',
    ],
    'auth-after-lookup': [
      'An identifier is looked up before the key is checked: 404 instead of 401.',
      lookingUpFirst,
      'getPet/auth.missing getPet/auth.invalid',
    ],
    'auth-once-per-connection': [
      'The key is checked once for each connection: later requests over it need none.',
      remembering,
      '{listPets,createPet,getPet}/auth.{missing,invalid} */auth.{scheme,exact}',
    ],
    'auth-inherited-name': [
      'Keys are looked up as members of an object: a name that every object has is found.',
      accepting((authorization) => tokenOf(authorization) in {}),
      '{listPets,createPet,getPet}/auth.invalid */auth.exact',
    ],
  }),
  ...createMutants('*/auth.exact', {
    'auth-token-starts-key': [
      'A key may be cut: it is looked up by its first characters.',
      comparing((token, key) => key.startsWith(token)),
    ],
    'auth-key-starts-token': [
      'A key may be longer: only as many characters are compared as the right one has.',
      comparing((token, key) => token.startsWith(key)),
    ],
    'auth-other-case': [
      'Keys are compared without regard to case.',
      comparing((token, key) => token.toLowerCase() === key.toLowerCase()),
    ],
    'auth-word-behind': [
      'The second word is the key, whatever follows.',
      accepting((sent) => /^bearer /i.test(sent ?? '') && plans.has(sent?.split(' ')[1] ?? '')),
    ],
  }),
  ...createMutants('*/auth.scheme', {
    'auth-empty-token': [
      'An empty token is neither a key nor wrong: the request is served as that of a guest.',
      accepting((authorization) => /^bearer *$/i.test(authorization ?? '')),
    ],
    'auth-last-word': [
      'The last word is the key, with or without a scheme before it.',
      accepting((authorization) => plans.has(authorization?.split(' ').at(-1) ?? '')),
    ],
  }),
];
