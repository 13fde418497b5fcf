import {
  plans,
  isRefusal,
  refuse,
  type ServiceBehaviour,
  type Parts,
  plain,
} from '../service/service.ts';
import { isCallOf, type Mutant, createMutants } from '../subject/subject.ts';

/** The key that a wrongly accepted request is counted on: its own, so that no count is wrong. */
const ownKey = 'guest';

type Authenticate = ServiceBehaviour['authenticate'];

/** Accepts further credentials. */
function accepting(accepts: (...args: Parameters<Authenticate>) => boolean): Parts {
  return {
    authenticate: (...args) =>
      plain.authenticate(...args) ?? (accepts(...args) ? ownKey : undefined),
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
      return plain.respond(isRemembered ? { ...call, key: ownKey } : call, all);
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
    return isRefusal(pet) ? Promise.resolve(refuse(pet, call, all)) : plain.respond(call, all);
  },
};

/** Credentials that are not checked, or compared loosely. */
export const authMutants: readonly Mutant[] = [
  ...createMutants('{listPets,createPet,getPet}/auth.missing', {
    'auth-missing-accepted': accepting((authorization) => authorization === undefined),
    'auth-reads-open': [
      accepting((_sent, route) => isCallOf('listPets', { route }) || isCallOf('getPet', { route })),
      '{listPets,getPet}/auth.{missing,invalid} */auth.{scheme,exact}',
    ],
    'auth-after-lookup': [lookingUpFirst, 'getPet/auth.missing getPet/auth.invalid'],
    'auth-once-per-connection': [
      remembering,
      '{listPets,createPet,getPet}/auth.{missing,invalid} */auth.{scheme,exact}',
    ],
    'auth-inherited-name': [
      accepting((authorization) => tokenOf(authorization) in {}),
      '{listPets,createPet,getPet}/auth.invalid */auth.exact',
    ],
  }),
  ...createMutants('*/auth.exact', {
    'auth-token-starts-key': comparing((token, key) => key.startsWith(token)),
    'auth-key-starts-token': comparing((token, key) => token.startsWith(key)),
    'auth-other-case': comparing((token, key) => token.toLowerCase() === key.toLowerCase()),
    'auth-word-behind': accepting(
      (sent) => /^bearer /i.test(sent ?? '') && plans.has(sent?.split(' ')[1] ?? ''),
    ),
  }),
  ...createMutants('*/auth.scheme', {
    'auth-empty-token': accepting((authorization) => /^bearer *$/i.test(authorization ?? '')),
    'auth-last-word': accepting((authorization) =>
      plans.has(authorization?.split(' ').at(-1) ?? ''),
    ),
  }),
];
