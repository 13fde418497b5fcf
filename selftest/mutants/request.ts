import {
  type Call,
  Refusal,
  isRecord,
  type ListQuery,
  type Parts,
  plain,
  plans,
  refuse,
  seedPets,
  type ServiceBehaviour,
  type WireResponse,
} from '../service/service.ts';
import { changeResponse, createMutants, type Mutant, type Place } from '../subject/subject.ts';

/** The key that a wrongly accepted request is counted for: a separate one, so that no count is wrong. */
const ownKey = 'guest';

type Authenticate = ServiceBehaviour['authenticate'];

/** Accepts additional credentials. */
function accepting(accepts: (...args: Parameters<Authenticate>) => boolean): Parts {
  return {
    authenticate: (...args) =>
      plain.authenticate(...args) ?? (accepts(...args) ? ownKey : undefined),
  };
}

/** Accepts a token that resembles a key. */
function comparing(matches: (token: string, key: string) => boolean): Parts {
  return accepting((authorization) => {
    const token = tokenOf(authorization);
    return token !== '' && [...plans.keys()].some((key) => matches(token, key));
  });
}

function tokenOf(authorization: string | undefined): string {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** Accepts requests without a valid key on a connection that has used one. */
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
      key === undefined && route.operation === 'getPet' ? all.find(route.petId, call) : undefined;
    return pet instanceof Refusal
      ? Promise.resolve(refuse(pet, call, all))
      : plain.respond(call, all);
  },
};

/** Credentials that are not checked, or compared loosely. */
const authMutants: readonly Mutant[] = [
  ...createMutants('{listPets,createPet,getPet}/auth.{missing,invalid} */auth.{scheme,exact}', {
    'auth-reads-open': [
      accepting((_sent, route) => route.operation === 'listPets' || route.operation === 'getPet'),
      '{listPets,getPet}/auth.{missing,invalid} */auth.{scheme,exact}',
    ],
    'auth-after-lookup': [lookingUpFirst, 'getPet/auth.missing getPet/auth.invalid'],
    'auth-once-per-connection': remembering,
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
  }),
];

function readingQuery(read: (query: ListQuery) => ListQuery | Refusal): Parts {
  return {
    readListQuery: (search) => {
      const query = plain.readListQuery(search);
      return query instanceof Refusal ? query : read(query);
    },
  };
}

/** Returns some responses with another status, also in error bodies. */
function failingAt(place: Place, status: number, fits: (call: Call) => boolean): Parts {
  return changeResponse(place, (response, call) => {
    if (!fits(call)) return response;
    const error = { code: 'internal_error', message: 'The service failed.' };
    const body = isRecord(response.body) && response.status >= 400 ? response.body : error;
    return { ...response, status, body: { ...body, status: BigInt(status) } };
  });
}

/** A body that is not JSON is refused as before: the document leaves its status open. */
function isObject({ body }: Call): boolean {
  const text = new TextDecoder().decode(body);
  return text === '' || !text.startsWith('{') || text.endsWith('}');
}

const everyFacet =
  'createPet/request.body.{required,type,name.required,name.type,categoryId.required,categoryId.type,categoryId.format,status.type,status.values}';

/** Misread parameters, refusals with another status, missing headers. */
const misread: readonly Mutant[] = [
  ...createMutants('listPets/parameter.status.filter', {
    'status-filter-first-page-only': {
      seed: () => seedPets(60),
      filter: (pets, status) => plain.filter(plain.order(pets).slice(0, 20), status),
    },
    'status-filter-after-limit': {
      select: (pets, { limit, status }, _call, all) => {
        const page = all.order(pets).slice(0, limit);
        return status === undefined ? page : all.filter(page, status);
      },
    },
    'status-filter-without-limit': [
      readingQuery((query) => (query.status === undefined ? query : { ...query, limit: Infinity })),
      'listPets/parameter.limit.bound',
    ],
    'list-500-pending': [
      failingAt('listPets 200', 500, ({ target }) => target.includes('status=pending')),
      'listPets/parameter.status.values listPets/robustness.no-server-error',
    ],
    'parameter-limit-uneven-400': [
      readingQuery((query) =>
        query.limit > 1 && query.limit % 5 !== 0
          ? new Refusal(400, 'invalid_parameter', 'The query cannot be read.')
          : query,
      ),
      'listPets/status.200',
      { needs: 'more' },
    ],
  }),
  ...createMutants(everyFacet, {
    'refused-422': failingAt('createPet 400', 422, isObject),
    'unauthorized-403-any': [
      failingAt('* 401', 403, () => true),
      '{listPets,createPet,getPet}/auth.{missing,invalid} */auth.{exact,scheme}',
    ],
    'absent-500-beyond-int32': [
      failingAt('getPet 404', 500, ({ target }) => /\d{11,}$/.test(target)),
      'getPet/status.404 getPet/robustness.no-server-error',
    ],
  }),
  ...createMutants(
    '{createPet/response.400,listPets/response.401,createPet/response.401,getPet/response.401,getPet/response.404}.header.X-RateLimit-{Limit,Remaining,Reset} */rate-limit.headers',
    {
      'headers-on-success-only': {
        rateLimitHeaders: (quota, status, call) =>
          status >= 400 ? {} : plain.rateLimitHeaders(quota, status, call),
      },
    },
  ),
];

function fail(wire: WireResponse, status: number): WireResponse {
  const body = { code: 'internal_error', message: 'The service failed.', status };
  return { ...wire, status, bytes: Buffer.from(JSON.stringify(body)) };
}

/**
 * Responds differently to some requests outside of the contract, or about which the document says nothing.
 */
function changing(
  fits: (call: Call, wire: WireResponse) => boolean,
  change: (wire: WireResponse) => WireResponse,
): Parts {
  return { finish: (wire, call) => (fits(call, wire) ? change(wire) : wire) };
}

const failingTo = (target: RegExp): Parts =>
  changing(
    (call) => target.test(call.target),
    (wire) => fail(wire, 500),
  );

const deliver = (delivery: WireResponse['delivery']) => (wire: WireResponse) => ({
  ...wire,
  delivery,
});

const hasNameObject = ({ body }: Call): boolean => {
  const value = body.length === 0 ? null : (plain.parseBody(body) ?? null);
  return !(value instanceof Refusal) && isRecord(value) && isRecord(value['name'] ?? null);
};

/**
 * A limit of 101 gets a 503 that asks for a wait of 20 seconds. Any request within the wait leads to a ban
 * for an hour: a suite that does not wait learns nothing more.
 */
function banningAfterOverload(): Parts {
  let [waitUntil, bannedUntil] = [0, 0];
  return {
    finish: (wire, { now, target }) => {
      if (now < waitUntil) bannedUntil = now + 3_600_000;
      if (now < bannedUntil) return fail(wire, 403);
      if (!target.includes('limit=101')) return wire;
      waitUntil = now + 20_000;
      return { ...fail(wire, 503), headers: { ...wire.headers, 'Retry-After': '20' } };
    },
  };
}

/** Requests that never get a response, or crash the service. */
const fallen: readonly Mutant[] = [
  ...createMutants('listPets/robustness.answered', {
    'cut-many': changing(
      (call, { bytes }) =>
        call.route.operation === 'listPets' &&
        new TextDecoder().decode(bytes).split('"id"').length > 16,
      deliver('cut'),
    ),
    'hang-no-body': [
      changing(({ method, body }) => method === 'POST' && body.length === 0, deliver('hang')),
      'createPet/robustness.answered',
      { hangs: true },
    ],
  }),
  ...createMutants('getPet/robustness.no-server-error', {
    '500-letters': failingTo(/\/abc$/),
    '500-malformed': [
      changing(
        ({ body }) => body.length > 0 && plain.parseBody(body) instanceof Refusal,
        (wire) => fail(wire, 500),
      ),
      'createPet/robustness.no-server-error',
    ],
    '500-client-id': [
      changing(
        ({ method, body }) => method === 'POST' && new TextDecoder().decode(body).includes('"id":'),
        (wire) => fail(wire, 500),
      ),
      'createPet/robustness.no-server-error',
    ],
    '503-beyond-then-ban': [banningAfterOverload, 'listPets/robustness.no-server-error'],
  }),
  ...createMutants(
    'getPet/robustness.no-server-error',
    {
      '500-beyond-int64': failingTo(/\/9223372036854775808$/),
      'reset-name-object': [
        changing(hasNameObject, deliver('reset')),
        'createPet/robustness.answered',
      ],
      'surrogate-breaks-lists': [
        changing(
          (call, { status }) =>
            call.route.operation === 'listPets' &&
            status === 200 &&
            call.inventory.pets.values().some(({ name }) => !name.isWellFormed()),
          (wire) => fail(wire, 500),
        ),
        'listPets/robustness.no-server-error listPets/status.200',
      ],
    },
    { needs: 'more' },
  ),
];

/** Misread keys, parameters and bodies, and requests that crash the service. */
export const requestMutants: readonly Mutant[] = [...authMutants, ...misread, ...fallen];
