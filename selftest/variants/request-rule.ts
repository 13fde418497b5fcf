import {
  isInt64,
  type Call,
  queryOf,
  type ListQuery,
  type Refusal,
  createRefusal,
  isRefusal,
  refuse,
  type Parts,
  plain,
} from '../service/service.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

/** Reads a query that is refused in another way. */
const reading = (read: (query: URLSearchParams) => ListQuery | Refusal): Parts => ({
  readListQuery: (query) => {
    const usual = plain.readListQuery(query);
    return isRefusal(usual) ? read(query) : usual;
  },
});

function without(query: URLSearchParams, name: string): ListQuery | Refusal {
  return plain.readListQuery(new URLSearchParams([...query].filter(([each]) => each !== name)));
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
      ? plain.find(petId, call)
      : createRefusal(status, 'invalid_parameter', 'petId must be a 64-bit integer.'),
});

/** Refuses some requests before anything else. */
const refuseSome = (isRefused: (call: Call) => boolean, status: number, code: string): Parts => ({
  respond: async (call, all) =>
    isRefused(call)
      ? refuse(createRefusal(status, code, 'It is refused.'), call, all)
      : await plain.respond(call, all),
});

/** What the service answers to requests that the interface does not describe. */
export const requestRuleVariants: readonly Variant[] = [
  ...createVariants(
    'Errors / Gaps: behaviour of `GET /pets` for an out-of-range `limit` or an unknown `status` is not shown (x-unspecified invalid-limit, unknown-status).',
    {
      'query-refused-422': reading(() =>
        createRefusal(422, 'invalid_parameter', 'A parameter is out of range.'),
      ),
      'query-limit-clamped': reading(clamp),
      'query-limit-ignored': reading((query) => without(query, 'limit')),
      'query-refused-as-empty': {
        listPets: async (call, all) =>
          isRefusal(all.readListQuery(queryOf(call)))
            ? { status: 200, body: [], headers: {} }
            : await plain.listPets(call, all),
      },
      'query-status-ignored': reading((query) => without(query, 'status')),
    },
  ),
  ...createVariants(
    'Endpoints / getPet: what a `petId` gets that is no 64-bit integer is not said (x-unspecified invalid-pet-id).',
    {
      'path-wrong-pet-id-422': refusePetId(422),
    },
  ),
  ...createVariants(
    'Endpoints: what paths and methods get that the interface does not describe is not said (x-unspecified undescribed-requests, store-operations, category-records, versioning).',
    {
      'path-not-found-for-methods': refuseSome(
        ({ route }) => route.kind !== 'operation',
        404,
        'not_found',
      ),
      'path-form-before-key': refuseSome(
        ({ route }) => route.kind === 'operation' && /[^\d-]/.test(route.petId),
        404,
        'not_found',
      ),
      'path-further-operations': {
        respond: async (call, all) =>
          /^\/v1\/(categories|store\/orders)/.test(call.target)
            ? { status: 200, body: [{ id: 'c1', label: 'Dogs' }], headers: {} }
            : await plain.respond(call, all),
      },
      'accept-not-acceptable': [
        refuseSome(({ headers }) => !/json|\*/i.test(headers.accept ?? '*'), 406, 'not_acceptable'),
        'Endpoints: content negotiation is not described (x-unspecified accept-header).',
      ],
      'key-may-only-read': [
        refuseSome(({ key, method }) => key !== undefined && method !== 'GET', 403, 'forbidden'),
        'Authentication: key issuance, scopes and per-key permissions are not shown (x-unspecified key-issuance).',
      ],
    },
  ),
];
