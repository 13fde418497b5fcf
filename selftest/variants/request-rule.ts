import {
  type Call,
  type ListQuery,
  type Refusal,
  type ServiceBehaviour,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { listPets, refuse, respond } from '../service/operations.ts';
import { isInt64 } from '../service/pet.ts';
import { readRoute } from '../service/routes.ts';
import { find, readListQuery } from '../service/selection.ts';
import type { Variant } from '../subject/variant.ts';

const queryOpen =
  'Errors / Gaps: behaviour of `GET /pets` for an out-of-range `limit` or an unknown `status` is not shown (x-unspecified invalid-limit, unknown-status).';
const pathOpen =
  'Endpoints / getPet: what a `petId` gets that is no 64-bit integer is not said (x-unspecified invalid-pet-id).';
const elsewhere =
  'Endpoints: what paths and methods get that the interface does not describe is not said (x-unspecified undescribed-requests, store-operations, category-records, versioning).';
const keysOpen =
  'Authentication: key issuance, scopes and per-key permissions are not shown (x-unspecified key-issuance).';

/** Reads a list query that the plain service would refuse. */
function lax(
  id: string,
  summary: string,
  repair: (query: URLSearchParams) => ListQuery | Refusal,
): Variant {
  const read: ServiceBehaviour['readListQuery'] = (query) => {
    const plain = readListQuery(query);
    return isRefusal(plain) ? repair(query) : plain;
  };
  return {
    id: `query-${id}`,
    summary,
    lawful: queryOpen,
    behaviour: () => ({ readListQuery: read }),
  };
}

/** Takes one parameter away and reads the others. */
function without(query: URLSearchParams, name: string): ListQuery | Refusal {
  const others = new URLSearchParams([...query].filter(([each]) => each !== name));
  return readListQuery(others);
}

function clamp(query: URLSearchParams): ListQuery | Refusal {
  const limit = Number.parseInt(query.get('limit') ?? '20', 10);
  const others = without(query, 'limit');
  return isRefusal(others)
    ? others
    : { ...others, limit: Number.isNaN(limit) ? 20 : Math.max(1, Math.min(100, limit)) };
}

function refusedAs(status: number): Refusal {
  return createRefusal(status, 'invalid_parameter', 'A parameter is out of range.');
}

/** What a petId gets that is no 64-bit integer. */
function wrongPetId(status: number): Variant {
  const lookUp: ServiceBehaviour['find'] = (petId, call) =>
    isInteger(petId) ? find(petId, call) : refusedAs(status);
  return {
    id: `path-wrong-pet-id-${status}`,
    summary: `A petId that is no 64-bit integer is answered ${status}.`,
    lawful: pathOpen,
    behaviour: () => ({ find: lookUp }),
  };
}

function isInteger(petId: string): boolean {
  return /^-?\d{1,30}$/.test(petId) && isInt64(BigInt(petId));
}

const emptyList: ServiceBehaviour['listPets'] = async (call, all) => {
  const query = all.readListQuery(
    call.route.kind === 'operation' ? call.route.query : new URLSearchParams(),
  );
  return isRefusal(query) ? { status: 200, body: [], headers: {} } : listPets(call, all);
};

const allNotFound: ServiceBehaviour['respond'] = async (call, all) =>
  call.route.kind === 'operation'
    ? respond(call, all)
    : refuse(createRefusal(404, 'not_found', 'Nothing is here.'), call, all);

const servesMore: ServiceBehaviour['respond'] = async (call, all) =>
  /^\/v1\/(categories|store\/orders)/.test(call.target)
    ? { status: 200, body: [{ id: 'c1', label: 'Dogs' }], headers: {} }
    : respond(call, all);

/** The key may read only. */
const readOnlyKey: ServiceBehaviour['respond'] = async (call, all) =>
  mayDo(call)
    ? respond(call, all)
    : refuse(createRefusal(403, 'forbidden', 'The key may not add pets.'), call, all);

function mayDo({ key, method }: Call): boolean {
  return key === undefined || method === 'GET';
}

/** What the service answers to requests that the interface does not describe. */
export const requestRuleVariants: readonly Variant[] = [
  lax('refused-422', 'An invalid limit or status is answered 422.', () => refusedAs(422)),
  lax('limit-clamped', 'A limit out of range becomes the nearest in range.', clamp),
  lax('limit-ignored', 'A limit out of range is ignored.', (query) => without(query, 'limit')),
  lax('limit-above-clamped', 'A limit above 100 becomes 100, one below 1 is refused.', (query) =>
    Number(query.get('limit')) > 100 ? clamp(query) : readListQuery(query),
  ),
  {
    id: 'query-refused-as-empty',
    summary: 'An invalid limit or status gets an empty list.',
    lawful: queryOpen,
    behaviour: () => ({ listPets: emptyList }),
  },
  lax('status-ignored', 'An unknown status is ignored.', (query) => without(query, 'status')),
  lax('status-and-limit-ignored', 'An invalid parameter is ignored.', (query) => {
    const others = without(query, 'status');
    return isRefusal(others) ? { limit: 20, status: undefined } : others;
  }),
  wrongPetId(400),
  wrongPetId(404),
  wrongPetId(422),
  {
    id: 'path-not-found-for-methods',
    summary: 'A method that is not served is answered 404, as a path is.',
    lawful: elsewhere,
    behaviour: () => ({ respond: allNotFound }),
  },
  {
    id: 'path-further-operations',
    summary: 'Categories and orders are served too.',
    lawful: elsewhere,
    behaviour: () => ({ respond: servesMore }),
  },
  {
    id: 'path-further-versions',
    summary: 'A second version is served beside /v1.',
    lawful: elsewhere,
    behaviour: () => ({
      readRoute: (method, target) => readRoute(method, target.replace(/^\/v2\//, '/v1/')),
    }),
  },
  {
    id: 'accept-not-acceptable',
    summary: 'A request whose Accept excludes JSON is answered 406.',
    lawful: 'Endpoints: content negotiation is not described (x-unspecified accept-header).',
    behaviour: () => ({
      respond: async (call, all) =>
        /json|\*/i.test(call.headers.accept ?? '*')
          ? respond(call, all)
          : refuse(createRefusal(406, 'not_acceptable', 'Only JSON is served.'), call, all),
    }),
  },
  {
    id: 'key-may-only-read',
    summary: 'The key may read but not add: 403 in the Error shape.',
    lawful: keysOpen,
    behaviour: () => ({ respond: readOnlyKey }),
  },
];
