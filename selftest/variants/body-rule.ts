import { type Parts, type ServiceBehaviour, isRefusal } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { checkCategoryId, checkName, parseBody } from '../service/new-pet.ts';
import { readBody, refuse, respond } from '../service/operations.ts';
import { type PetStatus, petStatuses } from '../service/pet.ts';
import { isCallOf } from '../subject/alter.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

const names = (isAccepted: (name: string) => boolean): Parts => ({
  checkName: (value) =>
    checkName(value) ??
    (typeof value === 'string' && !isAccepted(value)
      ? 'name has a length or characters that are not accepted.'
      : undefined),
});

/** Names of so many characters at most, and at least one. */
const upTo = (most: number): Parts =>
  names((name) => name !== '' && Array.from(name).length <= most);

const categories = (isKnown: (categoryId: bigint) => boolean): Parts => ({
  checkCategoryId: (value) =>
    checkCategoryId(value) ??
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

const bodyFirst: ServiceBehaviour['respond'] = async (call, all) => {
  const isJudged = call.key === undefined && isCallOf('createPet', call);
  const body = isJudged ? readBody(call, all) : undefined;
  const sent = !isJudged || isRefusal(body) ? body : all.validateNewPet(body, all);
  return isRefusal(sent) ? refuse(sent, call, all) : await respond(call, all);
};

/** What the service accepts in a body where the interface leaves it open. */
export const bodyRuleVariants: readonly Variant[] = [
  ...createVariants(
    'Resources / Gaps: length or character limits on `name` are not shown (x-unspecified name-limits).',
    {
      'name-not-blank': [
        'A name of white space alone is refused.',
        names((name) => name.trim() !== ''),
      ],
      'name-at-most-50': ['A name has 1 to 50 characters.', upTo(50)],
      'name-at-most-255': ['A name has 1 to 255 characters.', upTo(255)],
      'name-printable': [
        'A name has 1 to 255 characters, all of them printable.',
        names((name) => /^\P{Cc}{1,255}$/u.test(name)),
      ],
      'name-ascii': [
        'A name has printable ASCII characters only.',
        names((name) => /^[ -~]+$/.test(name)),
      ],
      'name-at-least-6': [
        'A name has at least 6 characters.',
        names((name) => Array.from(name).length >= 6),
      ],
      'name-without-edge-spaces': [
        'A name neither starts nor ends with a space.',
        names((name) => name === name.trim()),
      ],
      'name-letters-only': ['A name has letters only.', names((name) => /^\p{L}+$/u.test(name))],
    },
  ),
  ...createVariants(
    'Resources / Gaps: `categoryId` refers to a category, of which nothing more is shown (x-unspecified category-existence).',
    {
      'category-must-exist': [
        'Categories 1 to 3 exist; other ones are refused.',
        categories((id) => id >= 1n && id <= 3n),
      ],
      'category-one-exists': [
        'There are no pets, and only category 1 exists.',
        { ...categories((id) => id === 1n), seed: () => [] },
      ],
      'category-from-1': ['A categoryId below 1 is refused.', categories((id) => id >= 1n)],
      'category-large-exists': [
        'The only category that exists has a number beyond a double.',
        {
          ...categories((id) => id === 2n ** 53n + 1n),
          seed: () => seedPets(6).map((pet) => ({ ...pet, categoryId: 2n ** 53n + 1n })),
        },
      ],
    },
  ),
  ...createVariants(
    'Resources / Gaps: the value of `status` when it is omitted on creation is not shown (x-unspecified status-default).',
    {
      'status-default-available': [
        'A pet that was added without a status is available.',
        () => defaultStatus(() => 'available'),
      ],
      'status-default-varies': [
        'A pet that was added without a status has another one each time.',
        () => defaultStatus((count) => petStatuses[count % 4]),
      ],
    },
  ),
  ...createVariants(
    'Resources / NewPet: what becomes of members that NewPet does not have is not said (x-unspecified unknown-properties, client-id).',
    {
      'body-unknown-refused': [
        'Members that NewPet does not have are refused, `id` too.',
        {
          checkRest: (rest) => (Object.keys(rest).length > 0 ? 'A member is unknown.' : undefined),
        },
      ],
      'body-unknown-kept': [
        'Members that NewPet does not have are kept and returned, except `id`.',
        { acceptNewPet: ({ rest: { id: _id, ...rest }, ...value }) => ({ ...value, rest }) },
      ],
      'body-malformed-422': [
        'A body that is not JSON is answered 422.',
        {
          parseBody: (bytes) => {
            const body = parseBody(bytes);
            return isRefusal(body) ? { ...body, status: 422 } : body;
          },
        },
        'Errors: 400 is for missing fields and invalid values; a body that is not JSON is not named (x-unspecified malformed-body).',
      ],
      'body-before-key': [
        'The body is checked before the key.',
        { respond: bodyFirst },
        'Errors: the order of checks is not said (x-unspecified order-of-checks).',
      ],
      'body-any-media-type': [
        'A body of any media type is read as JSON.',
        { checkMediaType: () => undefined },
        'Endpoints: what another media type gets is not said (x-unspecified request-media-type).',
      ],
    },
  ),
];
