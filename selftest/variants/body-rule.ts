import {
  petStatuses,
  type PetStatus,
  seedPets,
  isRefusal,
  refuse,
  readBody,
  type ServiceBehaviour,
  type Parts,
  plain,
} from '../service/service.ts';
import { isCallOf, type Variant, createVariants } from '../subject/subject.ts';

const names = (isAccepted: (name: string) => boolean): Parts => ({
  checkName: (value) =>
    plain.checkName(value) ??
    (typeof value === 'string' && !isAccepted(value)
      ? 'name has a length or characters that are not accepted.'
      : undefined),
});

/** Names of so many characters at most, and at least one. */
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

const bodyFirst: ServiceBehaviour['respond'] = async (call, all) => {
  const isJudged = call.key === undefined && isCallOf('createPet', call);
  const body = isJudged ? readBody(call, all) : undefined;
  const sent = !isJudged || isRefusal(body) ? body : all.validateNewPet(body, all);
  return isRefusal(sent) ? refuse(sent, call, all) : await plain.respond(call, all);
};

/** What the service accepts in a body where the interface leaves it open. */
export const bodyRuleVariants: readonly Variant[] = [
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
      'category-from-1': categories((id) => id >= 1n),
      'category-large-exists': {
        ...categories((id) => id === 2n ** 53n + 1n),
        seed: () => seedPets(6).map((pet) => ({ ...pet, categoryId: 2n ** 53n + 1n })),
      },
    },
  ),
  ...createVariants(
    'Resources / Gaps: the value of `status` when it is omitted on creation is not shown (x-unspecified status-default).',
    {
      'status-default-available': () => defaultStatus(() => 'available'),
      'status-default-varies': () => defaultStatus((count) => petStatuses[count % 4]),
    },
  ),
  ...createVariants(
    'Resources / NewPet: what becomes of members that NewPet does not have is not said (x-unspecified unknown-properties, client-id).',
    {
      'body-unknown-refused': {
        checkRest: (rest) => (Object.keys(rest).length > 0 ? 'A member is unknown.' : undefined),
      },
      'body-unknown-kept': {
        acceptNewPet: ({ rest: { id: _id, ...rest }, ...value }) => ({ ...value, rest }),
      },
      'body-malformed-422': [
        {
          parseBody: (bytes) => {
            const body = plain.parseBody(bytes);
            return isRefusal(body) ? { ...body, status: 422 } : body;
          },
        },
        'Errors: 400 is for missing fields and invalid values; a body that is not JSON is not named (x-unspecified malformed-body).',
      ],
      'body-before-key': [
        { respond: bodyFirst },
        'Errors: the order of checks is not said (x-unspecified order-of-checks).',
      ],
      'body-any-media-type': [
        { checkMediaType: () => undefined },
        'Endpoints: what another media type gets is not said (x-unspecified request-media-type).',
      ],
    },
  ),
];
