import {
  type Parts,
  type Call,
  type ListQuery,
  type Refusal,
  type ServiceBehaviour,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { listPets, queryOf, refuse, respond } from '../service/operations.ts';
import { isInt64 } from '../service/pet.ts';
import { readRoute } from '../service/routes.ts';
import { find, readListQuery } from '../service/selection.ts';
import { type Variant, createVariants } from '../subject/variant.ts';

const queryOpen =
  'Errors / Gaps: behaviour of `GET /pets` for an out-of-range `limit` or an unknown `status` is not shown (x-unspecified invalid-limit, unknown-status).';
const pathOpen =
  'Endpoints / getPet: what a `petId` gets that is no 64-bit integer is not said (x-unspecified invalid-pet-id).';
const elsewhere =
  'Endpoints: what paths and methods get that the interface does not describe is not said (x-unspecified undescribed-requests, store-operations, category-records, versioning).';
const keysOpen =
  'Authentication: key issuance, scopes and per-key permissions are not shown (x-unspecified key-issuance).';

const repair = (read: (query: URLSearchParams) => ListQuery | Refusal): Parts => ({
  readListQuery: (query) => {
    const plain = readListQuery(query);
    return isRefusal(plain) ? read(query) : plain;
  },
});

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

const refusePetId = (status: number): Parts => ({
  find: (petId, call) => (isInteger(petId) ? find(petId, call) : refusedAs(status)),
});

const isInteger = (petId: string): boolean => /^-?\d{1,30}$/.test(petId) && isInt64(BigInt(petId));

type Respond = ServiceBehaviour['respond'];

const refuseSome =
  (isRefused: (call: Call) => boolean, refusal: Refusal): Respond =>
  async (call, all) =>
    isRefused(call) ? refuse(refusal, call, all) : respond(call, all);

const emptyList: ServiceBehaviour['listPets'] = async (call, all) =>
  isRefusal(all.readListQuery(queryOf(call)))
    ? { status: 200, body: [], headers: {} }
    : listPets(call, all);

const serveMore: Respond = async (call, all) =>
  /^\/v1\/(categories|store\/orders)/.test(call.target)
    ? { status: 200, body: [{ id: 'c1', label: 'Dogs' }], headers: {} }
    : respond(call, all);

/** What the service answers to requests that the interface does not describe. */
export const requestRuleVariants: readonly Variant[] = [
  ...createVariants('query', queryOpen, {
    'refused-422': ['An invalid limit or status is answered 422.', repair(() => refusedAs(422))],
    'limit-clamped': ['A limit out of range becomes the nearest in range.', repair(clamp)],
    'limit-ignored': [
      'A limit out of range is ignored.',
      repair((query) => without(query, 'limit')),
    ],
    'limit-above-clamped': [
      'A limit above 100 becomes 100, one below 1 is refused.',
      repair((query) => (Number(query.get('limit')) > 100 ? clamp(query) : readListQuery(query))),
    ],
    'refused-as-empty': ['An invalid limit or status gets an empty list.', { listPets: emptyList }],
    'status-ignored': [
      'An unknown status is ignored.',
      repair((query) => without(query, 'status')),
    ],
    'status-and-limit-ignored': [
      'An invalid parameter is ignored.',
      repair((query) => {
        const others = without(query, 'status');
        return isRefusal(others) ? { limit: 20, status: undefined } : others;
      }),
    ],
  }),
  ...[400, 404, 422].map((status) => ({
    id: `path-wrong-pet-id-${status}`,
    summary: `A petId that is no 64-bit integer is answered ${status}.`,
    valid: pathOpen,
    behaviour: () => refusePetId(status),
  })),
  ...createVariants('path', elsewhere, {
    'not-found-for-methods': [
      'A method that is not served is answered 404, as a path is.',
      {
        respond: refuseSome(
          ({ route }) => route.kind !== 'operation',
          createRefusal(404, 'not_found', 'Nothing is here.'),
        ),
      },
    ],
    'form-before-key': [
      'A petId that is no integer is answered 404 before the key is looked at, by the route.',
      {
        respond: refuseSome(
          ({ route }) => route.kind === 'operation' && /[^\d-]/.test(route.petId),
          createRefusal(404, 'not_found', 'Nothing is here.'),
        ),
      },
    ],
    'further-operations': ['Categories and orders are served too.', { respond: serveMore }],
    'further-versions': [
      'A second version is served beside /v1.',
      { readRoute: (method, target) => readRoute(method, target.replace(/^\/v2\//, '/v1/')) },
    ],
  }),
  {
    id: 'accept-not-acceptable',
    summary: 'A request whose Accept excludes JSON is answered 406.',
    valid: 'Endpoints: content negotiation is not described (x-unspecified accept-header).',
    behaviour: () => ({
      respond: refuseSome(
        ({ headers }) => !/json|\*/i.test(headers.accept ?? '*'),
        createRefusal(406, 'not_acceptable', 'Only JSON is served.'),
      ),
    }),
  },
  {
    id: 'key-may-only-read',
    summary: 'The key may read but not add: 403 in the Error shape.',
    valid: keysOpen,
    behaviour: () => ({
      respond: refuseSome(
        ({ key, method }) => key !== undefined && method !== 'GET',
        createRefusal(403, 'forbidden', 'The key may not add pets.'),
      ),
    }),
  },
];
