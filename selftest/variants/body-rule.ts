import {
  type Refusal,
  type ServiceBehaviour,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { checkCategoryId, checkName, parseBody } from '../service/new-pet.ts';
import { refuse, respond } from '../service/operations.ts';
import { type PetStatus, petStatuses } from '../service/pet.ts';
import type { Variant } from '../subject/variant.ts';

const nameOpen =
  'Resources / Gaps: length or character limits on `name` are not shown (x-unspecified name-limits).';
const categoryOpen =
  'Resources / Gaps: `categoryId` refers to a category, of which nothing more is shown (x-unspecified category-existence).';
const statusOpen =
  'Resources / Gaps: the value of `status` when it is omitted on creation is not shown (x-unspecified status-default).';
const bodyOpen =
  'Resources / NewPet: what becomes of members that NewPet does not have is not said (x-unspecified unknown-properties, client-id).';

function named(id: string, summary: string, isTaken: (name: string) => boolean): Variant {
  const check: ServiceBehaviour['checkName'] = (value) =>
    checkName(value) ??
    (typeof value === 'string' && !isTaken(value)
      ? 'name has a length or characters that are not taken.'
      : undefined);
  return { id: `name-${id}`, summary, lawful: nameOpen, behaviour: () => ({ checkName: check }) };
}

function length(name: string): number {
  return Array.from(name).length;
}

function categories(
  id: string,
  summary: string,
  known: readonly bigint[],
  further: Partial<ServiceBehaviour> = {},
): Variant {
  const check: ServiceBehaviour['checkCategoryId'] = (value) =>
    checkCategoryId(value) ??
    (typeof value === 'bigint' && !known.includes(value)
      ? 'categoryId names no category.'
      : undefined);
  return {
    id: `category-${id}`,
    summary,
    lawful: categoryOpen,
    behaviour: () => ({ ...further, checkCategoryId: check }),
  };
}

function defaultStatus(
  id: string,
  summary: string,
  status: (count: number) => PetStatus | undefined,
): Variant {
  const behaviour = (): Partial<ServiceBehaviour> => {
    let additions = 0;
    return {
      acceptNewPet: (value) => ({
        ...value,
        status: value.status ?? status((additions += 1)),
        rest: {},
      }),
    };
  };
  return { id: `status-default-${id}`, summary, lawful: statusOpen, behaviour };
}

function rest(id: string, summary: string, behaviour: Partial<ServiceBehaviour>): Variant {
  return { id: `body-${id}`, summary, lawful: bodyOpen, behaviour: () => behaviour };
}

const unprocessable: ServiceBehaviour['parseBody'] = (bytes) => {
  const body = parseBody(bytes);
  return isRefusal(body) ? createRefusal(422, 'unprocessable', 'The body is no JSON.') : body;
};

/** Looks at the body before the key. */
const bodyFirst: ServiceBehaviour['respond'] = async (call, all) => {
  if (
    call.route.kind !== 'operation' ||
    call.route.operation !== 'createPet' ||
    call.key !== undefined
  )
    return respond(call, all);
  const refusal = judgeBody(call.body, all);
  return refusal ? refuse(refusal, call, all) : respond(call, all);
};

function judgeBody(bytes: Uint8Array, all: ServiceBehaviour): Refusal | undefined {
  const body = all.parseBody(bytes);
  const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
  return isRefusal(sent) ? sent : undefined;
}

/** What the service takes in a body where the interface leaves it open. */
export const bodyRuleVariants: readonly Variant[] = [
  named('not-empty', 'An empty name is refused.', (name) => name !== ''),
  named('not-blank', 'A name of white space alone is refused.', (name) => name.trim() !== ''),
  named(
    'at-most-50',
    'A name has 1 to 50 characters.',
    (name) => name !== '' && length(name) <= 50,
  ),
  named(
    'at-most-255',
    'A name has 1 to 255 characters.',
    (name) => name !== '' && length(name) <= 255,
  ),
  named(
    'at-most-255-bytes',
    'A name has at most 255 bytes.',
    (name) => Buffer.byteLength(name) <= 255,
  ),
  named(
    'at-most-12',
    'A name has 1 to 12 characters.',
    (name) => name !== '' && length(name) <= 12,
  ),
  named('printable', 'A name has 1 to 255 characters and none that cannot be printed.', (name) =>
    /^\P{Cc}{1,255}$/u.test(name),
  ),
  named('without-nul', 'A name has no NUL.', (name) => !name.includes('\0')),
  named('ascii', 'A name has printable ASCII characters only.', (name) => /^[ -~]+$/.test(name)),
  named(
    'without-markup',
    'A name has no angle brackets, quotes and backslashes.',
    (name) => !/[<>"'\\]/.test(name),
  ),
  named(
    'without-edge-spaces',
    'A name neither starts nor ends with a space.',
    (name) => name === name.trim(),
  ),
  named(
    'word-characters',
    'A name has ASCII letters, digits, spaces and hyphens, 40 of them at most.',
    (name) => /^[\w -]{1,40}$/.test(name),
  ),
  named(
    'without-emoji',
    'A name has no characters beyond the Basic Multilingual Plane: the database cannot hold them.',
    (name) => !/[\u{10000}-\u{10ffff}]/u.test(name),
  ),
  named('letters-only', 'A name has letters only.', (name) => /^\p{L}+$/u.test(name)),
  categories('must-exist', 'Categories 1 to 3 exist; other ones are refused.', [1n, 2n, 3n]),
  categories('one-exists', 'There are no pets, and only category 1 exists.', [1n], {
    seed: () => [],
  }),
  categories('one-exists-one-pet', 'There is one pet, of category 1, the only one.', [1n], {
    seed: () => seedPets(1),
  }),
  categories(
    'large-exist',
    'The categories that exist have numbers beyond a double.',
    [9_007_199_254_740_993n, 9_007_199_254_740_995n],
    {
      seed: () =>
        seedPets(6).map((pet) => ({
          ...pet,
          categoryId: 9_007_199_254_740_993n + (pet.id % 2n) * 2n,
        })),
    },
  ),
  defaultStatus('absent', 'A pet that was added without a status has none.', () => undefined),
  defaultStatus(
    'available',
    'A pet that was added without a status is available.',
    () => 'available',
  ),
  defaultStatus('pending', 'A pet that was added without a status is pending.', () => 'pending'),
  defaultStatus('sold', 'A pet that was added without a status is sold.', () => 'sold'),
  defaultStatus(
    'varies',
    'A pet that was added without a status has another one each time.',
    (count) => petStatuses[count % 4],
  ),
  rest('unknown-refused', 'Members that NewPet does not have are refused, `id` too.', {
    checkRest: (others) =>
      Object.keys(others).length > 0
        ? 'The body has a member that NewPet does not have.'
        : undefined,
  }),
  rest('unknown-kept', 'Members that NewPet does not have are kept and answered, but for `id`.', {
    acceptNewPet: ({ rest: { id: _id, ...others }, ...value }) => ({ ...value, rest: others }),
  }),
  rest('id-refused', 'An `id` of the client is refused.', {
    checkRest: (others) => ('id' in others ? 'id is assigned by the service.' : undefined),
  }),
  {
    id: 'body-malformed-422',
    summary: 'A body that is no JSON is answered 422.',
    lawful:
      'Errors: 400 is for missing fields and invalid values; a body that is no JSON at all is not named (x-unspecified malformed-body).',
    behaviour: () => ({ parseBody: unprocessable }),
  },
  {
    id: 'body-before-key',
    summary: 'The body is looked at before the key.',
    lawful: 'Errors: the order of checks is not said (x-unspecified order-of-checks).',
    behaviour: () => ({ respond: bodyFirst }),
  },
  {
    id: 'body-any-media-type',
    summary: 'A body of any media type is read as JSON.',
    lawful:
      'Endpoints: what another media type gets is not said (x-unspecified request-media-type).',
    behaviour: () => ({ checkMediaType: () => undefined }),
  },
  {
    id: 'body-media-type-400',
    summary: 'A body of another media type is answered 400.',
    lawful:
      'Endpoints: what another media type gets is not said (x-unspecified request-media-type).',
    behaviour: () => ({
      checkMediaType: (type) =>
        /json/i.test(type ?? '')
          ? undefined
          : createRefusal(400, 'bad_media_type', 'JSON is wanted.'),
    }),
  },
];
