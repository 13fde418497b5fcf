import {
  isInt64,
  type Call,
  type ListQuery,
  Refusal,
  refuse,
  type Parts,
  plain,
  petStatuses,
  type PetStatus,
  seedPets,
} from '../service/service.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

/** Reads a query that is refused differently. */
const reading = (read: (query: URLSearchParams) => ListQuery | Refusal): Parts => ({
  readListQuery: (query) => {
    const usual = plain.readListQuery(query);
    return usual instanceof Refusal ? read(query) : usual;
  },
});

function without(query: URLSearchParams, name: string): ListQuery | Refusal {
  return plain.readListQuery(new URLSearchParams([...query].filter(([each]) => each !== name)));
}

function clamp(query: URLSearchParams): ListQuery | Refusal {
  const limit = Number.parseInt(query.get('limit') ?? '20', 10);
  const others = without(query, 'limit');
  return others instanceof Refusal
    ? others
    : { ...others, limit: Number.isNaN(limit) ? 20 : Math.max(1, Math.min(100, limit)) };
}

const refusePetId = (status: number): Parts => ({
  find: (petId, call) =>
    /^-?\d{1,30}$/.test(petId) && isInt64(BigInt(petId))
      ? plain.find(petId, call)
      : new Refusal(status, 'invalid_parameter', 'petId must be a 64-bit integer.'),
});

/** Refuses some requests before anything else. */
const refuseSome = (isRefused: (call: Call) => boolean, status: number, code: string): Parts => ({
  respond: async (call, all) =>
    isRefused(call)
      ? refuse(new Refusal(status, code, 'It is refused.'), call, all)
      : await plain.respond(call, all),
});

/** Responses to requests that the interface does not describe. */
const others: readonly Variant[] = [
  ...createVariants(
    'Errors / Gaps: behaviour of `GET /pets` for an out-of-range `limit` or an unknown `status` is not shown (x-unspecified invalid-limit, unknown-status).',
    {
      'query-refused-422': reading(
        () => new Refusal(422, 'invalid_parameter', 'A parameter is out of range.'),
      ),
      'query-limit-clamped': reading(clamp),
      'query-limit-ignored': reading((query) => without(query, 'limit')),
      'query-refused-as-empty': {
        listPets: async (call, all) =>
          all.readListQuery(call.route.query) instanceof Refusal
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
      'path-form-before-key': refuseSome(
        ({ route }) => /[^\d-]/.test(route.petId),
        404,
        'not_found',
      ),
      'key-may-only-read': [
        refuseSome(({ key, method }) => key !== undefined && method !== 'GET', 403, 'forbidden'),
        'Authentication: key issuance, scopes and per-key permissions are not shown (x-unspecified key-issuance).',
      ],
    },
  ),
];

const names = (isAccepted: (name: string) => boolean): Parts => ({
  checkName: (value) =>
    plain.checkName(value) ??
    (typeof value === 'string' && !isAccepted(value)
      ? 'name has a length or characters that are not accepted.'
      : undefined),
});

/** Names of at most this many characters, and at least one. */
const upTo = (most: number): Parts =>
  names((name) => name !== '' && Array.from(name).length <= most);

const categories = (isKnown: (categoryId: bigint) => boolean): Parts => ({
  checkCategoryId: (value) =>
    plain.checkCategoryId(value) ??
    (typeof value === 'bigint' && !isKnown(value) ? 'categoryId names no category.' : undefined),
});

/** Gives additions without a status one by their number, from 1. */
function defaultStatus(status: (count: number) => PetStatus | undefined): Parts {
  let additions = 0;
  return {
    acceptNewPet: (value) => ({
      ...value,
      status: value.status ?? status((additions += 1)),
      rest: {},
    }),
  };
}

/** Accepted bodies that the interface leaves open. */
const bodies: readonly Variant[] = [
  ...createVariants(
    'Resources / Gaps: length or character limits on `name` are not shown (x-unspecified name-limits).',
    {
      'name-not-blank': names((name) => name.trim() !== ''),
      'name-at-most-50': upTo(50),
      'name-at-most-255': upTo(255),
      'name-printable': names((name) => /^\P{Cc}{1,255}$/u.test(name)),
      'name-ascii': names((name) => /^[ -~]+$/.test(name)),
      'name-at-least-6': names((name) => Array.from(name).length >= 6),
      'name-without-edge-spaces': names((name) => name === name.trim()),
      'name-letters-only': names((name) => /^\p{L}+$/u.test(name)),
    },
  ),
  ...createVariants(
    'Resources / Gaps: `categoryId` refers to a category, of which nothing more is shown (x-unspecified category-existence).',
    {
      'category-must-exist': categories((id) => id >= 1n && id <= 3n),
      'category-one-exists': { ...categories((id) => id === 1n), seed: () => [] },
      'category-large-exists': {
        ...categories((id) => id === 2n ** 53n + 1n),
        seed: () => seedPets(6).map((pet) => ({ ...pet, categoryId: 2n ** 53n + 1n })),
      },
    },
  ),
  ...createVariants(
    'Resources / Gaps: the value of `status` when it is omitted on creation is not shown (x-unspecified status-default).',
    {
      'status-default-varies': () => defaultStatus((count) => petStatuses[count % 4]),
    },
  ),
];

/** Handling of requests that the interface leaves open. */
export const requestVariants: readonly Variant[] = [...bodies, ...others];
