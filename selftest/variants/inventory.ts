import {
  type Call,
  type Parts,
  type Pet,
  petStatuses,
  plain,
  presentPet,
  readBody,
  refuse,
  replaceParts,
  seedPets,
  type ServiceBehaviour,
  takeId,
  Refusal,
} from '../service/service.ts';
import {
  changeResponse,
  createVariants,
  inChanges,
  keep,
  hashOrdinal,
  sharingKey,
  type Variant,
  within,
} from '../subject/subject.ts';

/** Ids by the number of the addition, from 0. */
const assigning = (assign: (count: bigint, call: Call) => bigint) => (): Parts => {
  let additions = -1n;
  return { assignId: (_value, call) => assign((additions += 1n), call) };
};

/** Ids that look random, but contain the number of the addition so that none repeats. */
function scatterBits(count: bigint): bigint {
  const part = (offset: number): bigint => BigInt(hashOrdinal(Number(count) + offset));
  const high = part(0) * 4_096n + part(500);
  return ((high << 38n) + (part(900) << 20n) + count + 1_000n) % (1n << 63n);
}

/** Orders each list by its number, from 1. */
const ordering = (order: (pets: readonly Pet[], count: number) => readonly Pet[]) => (): Parts => {
  let lists = 0;
  return { order: (pets) => order(pets, (lists += 1)) };
};

/** The pets from an index on, followed by those before it. */
function turn(pets: readonly Pet[], index: number): readonly Pet[] {
  const start = index % Math.max(1, pets.length);
  return [...pets.slice(start), ...pets.slice(0, start)];
}

const seed = (count: number, change: Partial<Pet> = {}): Parts => ({
  seed: () => seedPets(count).map((pet) => ({ ...pet, ...change })),
});

/** Names of old records. Each is a string, which is all that the interface requires. */
const oldNames: readonly string[] = [
  '',
  ' Rex\t',
  'null',
  'NaN',
  '[object Object]',
  "Robert'); DROP TABLE pets;--",
  '<script>alert(1)</script>',
  '{{7*7}} ${x} %s %00',
  'a\u0000b\u0001\u001f\u007f',
  'line\r\nbreak\u2028',
  '\ufeffBella',
  'Zoe\u0308',
  'Zoë',
  '\u202Eevil\u202C',
  '👩‍👩‍👧 🐾',
  'x'.repeat(20_000),
  '"quoted" \\ / back',
];

function oldPet(id: bigint, change: Partial<Pet>): Pet {
  return { id, name: 'Old', categoryId: 1n, status: undefined, rest: {}, ...change };
}

const oldPets: readonly Pet[] = [
  ...oldNames.map((name, index) =>
    oldPet(BigInt(index + 1), { name, status: index % 2 === 0 ? 'sold' : undefined }),
  ),
  oldPet(9_007_199_254_740_993n, { name: 'Beyond a double' }),
  oldPet(4_611_686_018_427_387_905n, { categoryId: 9_223_372_036_854_775_807n }),
  oldPet(0n, { categoryId: 0n, status: 'pending' }),
  oldPet(-5n, { categoryId: -9_223_372_036_854_775_808n, status: 'available' }),
  oldPet(500n, { rest: { tags: [], owner: null, weight: 4.5, chip: { number: 10n ** 22n } } }),
];

/** Returns at most this many pets, with headers that lead to the others. */
function page(most: number, headers: (total: number) => Readonly<Record<string, string>>): Parts {
  return {
    seed: () => seedPets(30),
    listPets: async (call, all) => {
      const select: ServiceBehaviour['select'] = (pets, query, ...rest) =>
        all.select(pets, { ...query, limit: Math.min(query.limit, most) }, ...rest);
      const response = await plain.listPets(call, replaceParts(all, { select }));
      const { body } = response;
      const query = all.readListQuery(call.route.query);
      if (query instanceof Refusal || !Array.isArray(body)) return response;
      const pets = [...call.inventory.pets.values()];
      const { length: total } = query.status === undefined ? pets : all.filter(pets, query.status);
      return body.length >= total
        ? response
        : { ...response, headers: { ...response.headers, ...headers(total) } };
    },
  };
}

const shortPage = (name: string, value: string): Parts => page(7, () => ({ [name]: value }));

/** Which pets exist, how they are identified, and how lists show them. */
const inventory: readonly Variant[] = [
  ...createVariants(
    'Resources / Pets: a list is an array of any length, and nothing says which pets a service has.',
    {
      'inventory-empty': seed(0),
      'inventory-one': seed(1),
      'inventory-full-page': seed(100),
      'inventory-large-newest-first': { ...seed(5_000), order: (pets) => pets.toReversed() },
      'inventory-large-in-pieces': () => ({
        ...seed(5_000),
        ...ordering((pets, count) => turn(pets, count * 617))(),
      }),
      'inventory-without-status': seed(12, { status: undefined }),
      'inventory-dirty': { seed: () => oldPets },
      'inventory-lone-surrogate': { seed: () => [oldPet(1n, { name: 'half \ud83d of a dog' })] },
    },
  ),
  ...createVariants(
    'Resources / Pet: `id` is an integer of format int64, assigned by the service; nothing says how.',
    {
      'identifier-beyond-double': assigning((count) => 2n ** 53n + 1n + count),
      'identifier-random-63-bits': assigning(scatterBits),
      'identifier-smallest': assigning((count) => -(2n ** 63n) + count),
      'identifier-time': assigning((count, { now }) => (BigInt(now) << 12n) + count),
    },
  ),
  ...createVariants(
    'Endpoints / Gaps in the endpoints: the ordering of listed animals is not shown (x-unspecified list-order).',
    {
      'order-by-digits': ordering((pets) =>
        pets.toSorted((one, other) => (`${one.id}` < `${other.id}` ? -1 : 1)),
      ),
      'order-random': ordering((pets, count) => {
        const rank = ({ id }: Pet) => hashOrdinal(Number(id % 1_000_003n) * 31 + count * 7_919);
        return pets.toSorted((one, other) => rank(one) - rank(other));
      }),
    },
  ),
  ...createVariants(
    'Endpoints / Gaps in the endpoints: paging beyond `limit` is not shown (x-unspecified paging); `limit` is the maximum number answered.',
    {
      'paging-link-many-relations': shortPage(
        'Link',
        '</v1/pets?page=1>; rel="first", </v1/pets?page=2>; rel=next; title="more, of them", </v1/pets?page=9>; rel="last"',
      ),
      'paging-link-parameter-first': shortPage(
        'Link',
        '</v1/pets?page=2>; type="application/json"; REL = "prefetch next"',
      ),
      'paging-cursor': shortPage('X-Next-Cursor', 'eyJpZCI6N30'),
      'paging-total': page(100, (total) => ({ 'X-Total-Count': String(total) })),
    },
  ),
];

/** What another client adds before the request, with any status. */
function adding(howMany: (ordinal: number) => number): ServiceBehaviour['arrive'] {
  return (call) => {
    for (let index = howMany(call.ordinal); index > 0; index -= 1) {
      const id = takeId(call.inventory);
      const status = petStatuses[(call.ordinal + index) % 4];
      keep(
        { id, name: `Of somebody else ${id}`, categoryId: (id % 3n) + 1n, status, rest: {} },
        call,
      );
    }
  };
}

/** Once, another client uses up the rest of the window. */
const burst = (at: number) => sharingKey((ordinal) => (ordinal === at ? 2_000 : 0));

const flipStatus = (call: Call): void => {
  const { ordinal, inventory } = call;
  for (const pet of inventory.pets.values())
    if (pet.id <= 8n && (pet.id + BigInt(ordinal)) % 4n === 0n)
      keep({ ...pet, status: petStatuses[hashOrdinal(ordinal + Number(pet.id)) % 3] }, call);
};

/** Other clients of the same service. */
const neighbours: readonly Variant[] = [
  ...createVariants(
    'What the service does: clients add animals, and nothing says that there is only one client.',
    {
      'neighbour-adds': { arrive: adding((ordinal) => Number(ordinal % 3 === 0)) },
      'neighbour-adds-beyond-page': { seed: () => seedPets(98), arrive: adding(() => 5) },
      'neighbour-changes-status': [
        { arrive: flipStatus },
        'States and transitions / Gaps: transitions are not shown (x-unspecified status-transitions).',
      ],
    },
    { isShared: true },
  ),
  ...createVariants(
    'Limits / Gaps: whether counts are kept per key is not shown; Remaining is what is left in the window, whoever used the rest.',
    {
      'neighbour-shares-key': sharingKey((ordinal) => 1 + (hashOrdinal(ordinal) % 4)),
      'neighbour-shares-key-and-adds': {
        ...sharingKey((ordinal) => hashOrdinal(ordinal) % 3),
        arrive: adding((ordinal) => hashOrdinal(ordinal) % 3),
      },
      'neighbour-burst-first': burst(5),
      'neighbour-burst': burst(30),
    },
    { isShared: true },
  ),
];

/** Which pets exist, and who else changes them. */
export const inventoryVariants: readonly Variant[] = [...inventory, ...neighbours];

/** Validates the body before it looks for the pet. */
const bodyFirst: Parts = {
  replacePet: async (call, all) => {
    const body = readBody(call, all);
    const sent = body instanceof Refusal ? body : all.validateNewPet(body, all);
    return sent instanceof Refusal ? refuse(sent, call, all) : await plain.replacePet(call, all);
  },
};

/** Other clients add, change and remove pets of their own meanwhile. */
const changingNeighbours: Parts = {
  arrive: (call) => {
    const { inventory, ordinal } = call;
    const id = 900_000n + BigInt(ordinal);
    keep({ id, name: `other ${ordinal}`, categoryId: 1n, status: 'sold', rest: {} }, call);
    inventory.pets.delete(id - 3n);
    const first = inventory.pets.get(1n);
    if (first) keep({ ...first, status: ordinal % 2 === 0 ? 'sold' : 'pending' }, call);
  },
};

const open = 'The document says which status a change has and which pet it returns, and no more.';

/** Behaviour of services with changes that the document allows, and that the suite must not fail. */
export const changeVariants: readonly Variant[] = inChanges([
  ...createVariants(open, { 'valid-neighbours': changingNeighbours }, { isShared: true }),
  ...createVariants(open, {
    'valid-plain': {},
    'valid-put-keeps-left-out': within('replacePet', {
      replace: (old, sent) => ({ ...sent, id: old.id, status: sent.status ?? old.status }),
    }),
    'valid-content-type-of-nothing': changeResponse('removePet 204', (response) => ({
      ...response,
      headers: { ...response.headers, 'Content-Type': 'application/json' },
    })),
    'valid-body-first': bodyFirst,
    'valid-versions': {
      presentChanged: (pet, { ordinal }) => ({ ...presentPet(pet), version: BigInt(ordinal) }),
    },
    'valid-changed-last': {
      store: (pet, call) => {
        call.inventory.pets.delete(pet.id);
        keep(pet, call);
      },
      order: (pets) => pets,
    },
    'valid-category-must-exist': {
      checkCategoryId: (value) =>
        value === 1n || value === 2n || value === 3n ? undefined : 'There is no such category.',
    },
    'valid-strict-members': {
      checkRest: (rest) => (Object.keys(rest).length > 0 ? 'A member is unknown.' : undefined),
    },
    'valid-many-pets': { seed: () => seedPets(300) },
  }),
]);
