import {
  type Parts,
  type Refusal,
  type ServiceBehaviour,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { checkCategoryId, checkName, parseBody } from '../service/new-pet.ts';
import { refuse, respond } from '../service/operations.ts';
import { type PetStatus, petStatuses } from '../service/pet.ts';
import { isCallOf } from '../subject/place.ts';
import { type Variant, createVariants, listVariants } from '../subject/variant.ts';

const nameOpen =
  'Resources / Gaps: length or character limits on `name` are not shown (x-unspecified name-limits).';
const categoryOpen =
  'Resources / Gaps: `categoryId` refers to a category, of which nothing more is shown (x-unspecified category-existence).';
const statusOpen =
  'Resources / Gaps: the value of `status` when it is omitted on creation is not shown (x-unspecified status-default).';
const bodyOpen =
  'Resources / NewPet: what becomes of members that NewPet does not have is not said (x-unspecified unknown-properties, client-id).';
const mediaOpen =
  'Endpoints: what another media type gets is not said (x-unspecified request-media-type).';

const large = 9_007_199_254_740_993n;

const checkNames = (isTaken: (name: string) => boolean): Parts => ({
  checkName: (value) =>
    checkName(value) ??
    (typeof value === 'string' && !isTaken(value)
      ? 'name has a length or characters that are not taken.'
      : undefined),
});

/** Checks names by their number of characters, of which there is one at least. */
const upTo =
  (most: number) =>
  (name: string): boolean =>
    name !== '' && Array.from(name).length <= most;

const categoriesFrom = (least: bigint): Parts => ({
  checkCategoryId: (value) =>
    checkCategoryId(value) ??
    (typeof value === 'bigint' && value < least ? `categoryId is at least ${least}.` : undefined),
});

const checkCategories = (...known: readonly bigint[]): Parts => ({
  checkCategoryId: (value) =>
    checkCategoryId(value) ??
    (typeof value === 'bigint' && !known.includes(value)
      ? 'categoryId names no category.'
      : undefined),
});

/** Gives additions a status by their number, from 1. */
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

const unprocessable: ServiceBehaviour['parseBody'] = (bytes) => {
  const body = parseBody(bytes);
  return isRefusal(body) ? createRefusal(422, 'unprocessable', 'The body is no JSON.') : body;
};

const bodyFirst: ServiceBehaviour['respond'] = async (call, all) => {
  const isJudged = call.key === undefined && isCallOf('createPet', call);
  const refusal = isJudged ? judgeBody(call.body, all) : undefined;
  return refusal ? refuse(refusal, call, all) : respond(call, all);
};

function judgeBody(bytes: Uint8Array, all: ServiceBehaviour): Refusal | undefined {
  const body = all.parseBody(bytes);
  const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
  return isRefusal(sent) ? sent : undefined;
}

/** What the service takes in a body where the interface leaves it open. */
export const bodyRuleVariants: readonly Variant[] = [
  ...listVariants('name', nameOpen, checkNames, {
    'not-empty': ['An empty name is refused.', (name) => name !== ''],
    'not-blank': ['A name of white space alone is refused.', (name) => name.trim() !== ''],
    'at-most-50': ['A name has 1 to 50 characters.', upTo(50)],
    'at-most-255': ['A name has 1 to 255 characters.', upTo(255)],
    'at-most-255-bytes': [
      'A name has at most 255 bytes.',
      (name) => Buffer.byteLength(name) <= 255,
    ],
    'at-most-12': ['A name has 1 to 12 characters.', upTo(12)],
    printable: [
      'A name has 1 to 255 characters and none that cannot be printed.',
      (name) => /^\P{Cc}{1,255}$/u.test(name),
    ],
    'without-nul': ['A name has no NUL.', (name) => !name.includes('\0')],
    ascii: ['A name has printable ASCII characters only.', (name) => /^[ -~]+$/.test(name)],
    'without-markup': [
      'A name has no angle brackets, quotes and backslashes.',
      (name) => !/[<>"'\\]/.test(name),
    ],
    'at-least-6': ['A name has at least 6 characters.', (name) => Array.from(name).length >= 6],
    'with-a-letter': ['A name has a letter in it.', (name) => /\p{L}/u.test(name)],
    'with-a-capital': ['A name has a capital letter in it.', (name) => /\p{Lu}/u.test(name)],
    'without-edge-spaces': [
      'A name neither starts nor ends with a space.',
      (name) => name === name.trim(),
    ],
    'word-characters': [
      'A name has ASCII letters, digits, spaces and hyphens, 40 of them at most.',
      (name) => /^[\w -]{1,40}$/.test(name),
    ],
    'without-emoji': [
      'A name has no characters beyond the Basic Multilingual Plane: the database cannot hold them.',
      (name) => !/[\u{10000}-\u{10ffff}]/u.test(name),
    ],
    'letters-only': ['A name has letters only.', (name) => /^\p{L}+$/u.test(name)],
  }),
  ...createVariants('category', categoryOpen, {
    'must-exist': ['Categories 1 to 3 exist; other ones are refused.', checkCategories(1n, 2n, 3n)],
    'one-exists': [
      'There are no pets, and only category 1 exists.',
      { ...checkCategories(1n), seed: () => [] },
    ],
    'one-exists-one-pet': [
      'There is one pet, of category 1, the only one.',
      { ...checkCategories(1n), seed: () => seedPets(1) },
    ],
    'from-1': ['A categoryId below 1 is refused.', categoriesFrom(1n)],
    'from-0': ['A negative categoryId is refused.', categoriesFrom(0n)],
    'large-exist': [
      'The categories that exist have numbers beyond a double.',
      {
        ...checkCategories(large, large + 2n),
        seed: () => seedPets(6).map((pet) => ({ ...pet, categoryId: large + (pet.id % 2n) * 2n })),
      },
    ],
  }),
  ...listVariants('status-default', statusOpen, defaultStatus, {
    absent: ['A pet that was added without a status has none.', () => undefined],
    available: ['A pet that was added without a status is available.', () => 'available'],
    pending: ['A pet that was added without a status is pending.', () => 'pending'],
    sold: ['A pet that was added without a status is sold.', () => 'sold'],
    varies: [
      'A pet that was added without a status has another one each time.',
      (count) => petStatuses[count % 4],
    ],
  }),
  ...createVariants('body', bodyOpen, {
    'unknown-refused': [
      'Members that NewPet does not have are refused, `id` too.',
      {
        checkRest: (others) =>
          Object.keys(others).length > 0
            ? 'The body has a member that NewPet does not have.'
            : undefined,
      },
    ],
    'unknown-kept': [
      'Members that NewPet does not have are kept and answered, but for `id`.',
      { acceptNewPet: ({ rest: { id: _id, ...rest }, ...value }) => ({ ...value, rest }) },
    ],
    'id-refused': [
      'An `id` of the client is refused.',
      { checkRest: (others) => ('id' in others ? 'id is assigned by the service.' : undefined) },
    ],
    'malformed-422': [
      'A body that is no JSON is answered 422.',
      { parseBody: unprocessable },
      'Errors: 400 is for missing fields and invalid values; a body that is no JSON at all is not named (x-unspecified malformed-body).',
    ],
    'before-key': [
      'The body is looked at before the key.',
      { respond: bodyFirst },
      'Errors: the order of checks is not said (x-unspecified order-of-checks).',
    ],
    'any-media-type': [
      'A body of any media type is read as JSON.',
      { checkMediaType: () => undefined },
      mediaOpen,
    ],
    'media-type-400': [
      'A body of another media type is answered 400.',
      {
        checkMediaType: (type) =>
          /json/i.test(type ?? '')
            ? undefined
            : createRefusal(400, 'bad_media_type', 'JSON is wanted.'),
      },
      mediaOpen,
    ],
  }),
];
