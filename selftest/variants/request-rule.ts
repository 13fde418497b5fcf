import {
  type Call,
  type ListQuery,
  type Parts,
  type Refusal,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { listPets, queryOf, refuse, respond } from '../service/operations.ts';
import { isInt64 } from '../service/pet.ts';
import { find, readListQuery } from '../service/selection.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

/** Reads a query that is refused in another way. */
const reading = (read: (query: URLSearchParams) => ListQuery | Refusal): Parts => ({
  readListQuery: (query) => {
    const usual = readListQuery(query);
    return isRefusal(usual) ? read(query) : usual;
  },
});

function without(query: URLSearchParams, name: string): ListQuery | Refusal {
  return readListQuery(new URLSearchParams([...query].filter(([each]) => each !== name)));
}

function clamp(query: URLSearchParams): ListQuery | Refusal {
  const limit = Number.parseInt(query.get('limit') ?? '20', 10);
  const others = without(query, 'limit');
  return isRefusal(others)
    ? others
    : { ...others, limit: Number.isNaN(limit) ? 20 : Math.max(1, Math.min(100, limit)) };
}

const refusePetId = (status: number): Parts => ({
  find: (petId, call) =>
    /^-?\d{1,30}$/.test(petId) && isInt64(BigInt(petId))
      ? find(petId, call)
      : createRefusal(status, 'invalid_parameter', 'petId must be a 64-bit integer.'),
});

/** Refuses some requests before anything else. */
const refuseSome = (isRefused: (call: Call) => boolean, status: number, code: string): Parts => ({
  respond: async (call, all) =>
    isRefused(call)
      ? refuse(createRefusal(status, code, 'It is refused.'), call, all)
      : await respond(call, all),
});

/** What the service answers to requests that the interface does not describe. */
export const requestRuleVariants: readonly Variant[] = [
  ...createVariants(
    'Errors / Gaps: behaviour of `GET /pets` for an out-of-range `limit` or an unknown `status` is not shown (x-unspecified invalid-limit, unknown-status).',
    {
      'query-refused-422': [
        'An invalid limit or status is answered 422.',
        reading(() => createRefusal(422, 'invalid_parameter', 'A parameter is out of range.')),
      ],
      'query-limit-clamped': ['A limit out of range becomes the nearest in range.', reading(clamp)],
      'query-limit-ignored': [
        'A limit out of range is ignored.',
        reading((query) => without(query, 'limit')),
      ],
      'query-refused-as-empty': [
        'An invalid limit or status gets an empty list.',
        {
          listPets: async (call, all) =>
            isRefusal(all.readListQuery(queryOf(call)))
              ? { status: 200, body: [], headers: {} }
              : await listPets(call, all),
        },
      ],
      'query-status-ignored': [
        'An unknown status is ignored.',
        reading((query) => without(query, 'status')),
      ],
    },
  ),
  ...createVariants(
    'Endpoints / getPet: what a `petId` gets that is no 64-bit integer is not said (x-unspecified invalid-pet-id).',
    {
      'path-wrong-pet-id-422': [
        'A petId that is not a 64-bit integer is answered 422.',
        refusePetId(422),
      ],
    },
  ),
  ...createVariants(
    'Endpoints: what paths and methods get that the interface does not describe is not said (x-unspecified undescribed-requests, store-operations, category-records, versioning).',
    {
      'path-not-found-for-methods': [
        'A method that is not served is answered 404, as a path is.',
        refuseSome(({ route }) => route.kind !== 'operation', 404, 'not_found'),
      ],
      'path-form-before-key': [
        'A petId that is not an integer is answered 404 before the key is checked, by the route.',
        refuseSome(
          ({ route }) => route.kind === 'operation' && /[^\d-]/.test(route.petId),
          404,
          'not_found',
        ),
      ],
      'path-further-operations': [
        'Categories and orders are served too.',
        {
          respond: async (call, all) =>
            /^\/v1\/(categories|store\/orders)/.test(call.target)
              ? { status: 200, body: [{ id: 'c1', label: 'Dogs' }], headers: {} }
              : await respond(call, all),
        },
      ],
      'accept-not-acceptable': [
        'A request whose Accept excludes JSON is answered 406.',
        refuseSome(({ headers }) => !/json|\*/i.test(headers.accept ?? '*'), 406, 'not_acceptable'),
        'Endpoints: content negotiation is not described (x-unspecified accept-header).',
      ],
      'key-may-only-read': [
        'The key may read but not add: 403 in the Error shape.',
        refuseSome(({ key, method }) => key !== undefined && method !== 'GET', 403, 'forbidden'),
        'Authentication: key issuance, scopes and per-key permissions are not shown (x-unspecified key-issuance).',
      ],
    },
  ),
];
