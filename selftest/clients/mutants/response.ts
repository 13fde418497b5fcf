import { careful } from '../base/careful.ts';
import type { Manner, Session } from '../base/session.ts';
import { type Pet, add, list, listAddList, newName } from '../base/work.ts';
import { type ClientMutant, mutant } from './mutant.ts';

const exact = ['integer.exact'] as const;
const gone = ['getPet.deprecated', 'getPet.removed'] as const;

/** Integers as they come out of another type. */
function through(change: (integer: bigint) => unknown): Partial<Manner> {
  const lose = (value: unknown): unknown => (typeof value === 'bigint' ? change(value) : value);
  return {
    render: ({ categoryId, ...pet }) => careful.render({ ...pet, categoryId: lose(categoryId) }),
  };
}

/** Looks at every pet of a list before it works. */
function reading(check: (pets: readonly Pet[]) => void): Partial<Manner> {
  return {
    work: async (session) => {
      check(await list(session, 'limit=100'));
      await listAddList(session);
    },
  };
}

function fail(reason: string): never {
  throw new Error(reason);
}

const known = ['id', 'name', 'categoryId', 'status'];
const statuses: readonly unknown[] = ['available', 'pending', 'sold', undefined];

function refuseUnknown(pet: Pet): void {
  if (Object.keys(pet).some((name) => !known.includes(name))) fail('There is an unknown member.');
}

/** Works, and then gets a pet by its id. */
function getting(
  id: (pet: Pet | undefined) => string | number | bigint,
  when = (_now: number): boolean => true,
): Partial<Manner> {
  return {
    work: async (session) => {
      const [pet] = await list(session, 'limit=100');
      await listAddList(session);
      const { headers } = await session.call('GET', '/pets?limit=1');
      if (when(Date.parse(headers['date'] ?? ''))) await session.call('GET', `/pets/${id(pet)}`);
    },
  };
}

function idOf(pet: Pet | undefined): number | bigint {
  const id = pet?.['id'];
  return typeof id === 'number' || typeof id === 'bigint' ? id : 1;
}

const sunset = Date.parse('2030-12-05');

/** Asks for page after page, by a parameter that nobody told it of, until one is short. */
async function guessPages(session: Session): Promise<void> {
  for (let page = 1; ; page += 1) {
    const pets = await list(session, `limit=100&page=${page}`);
    if (pets.length < 100) break;
  }
  await add(session, { name: newName(session), categoryId: 1 });
}

/** Clients that lose digits, cannot take what they get, or use what is deprecated. */
export const responseMutants: readonly ClientMutant[] = [
  mutant('category-through-a-double', exact, through(Number)),
  mutant(
    'category-through-a-single',
    exact,
    through((integer) => BigInt(Math.fround(Number(integer)))),
  ),
  mutant(
    'category-with-15-digits',
    exact,
    through((integer) => BigInt(Number(Number(integer).toPrecision(15)))),
  ),
  mutant(
    'category-with-6-digits',
    exact,
    through((integer) => BigInt(Number(Number(integer).toPrecision(6)))),
  ),
  mutant('category-read-as-a-double', exact, { parse: (text): unknown => JSON.parse(text) }),
  mutant(
    'id-through-a-double',
    [...exact, ...gone],
    getting((pet) => Number(pet?.['id'] ?? 1)),
  ),
  mutant(
    'id-through-a-double-as-an-exponent',
    [...exact, ...gone, 'request.valid'],
    getting((pet) => Number(pet?.['id'] ?? 1).toExponential()),
  ),
  mutant(
    'unknown-members-refused',
    ['response.unknown-fields'],
    reading((pets) => pets.forEach(refuseUnknown)),
  ),
  mutant('unknown-members-of-an-added-pet-refused', ['response.unknown-fields'], {
    work: async (session) => {
      const body = session.manner.render({ name: newName(session), categoryId: 1 });
      const { status, text } = await session.call('POST', '/pets', body);
      const value = session.manner.parse(text);
      if (status === 201 && typeof value === 'object' && value !== null)
        refuseUnknown({ ...value });
      await listAddList(session);
    },
  }),
  mutant(
    'members-counted',
    ['response.unknown-fields'],
    reading((pets) => {
      if (pets.some((pet) => Object.keys(pet).length > 4)) fail('There are too many members.');
    }),
  ),
  mutant(
    'unknown-status-refused',
    ['response.unknown-value'],
    reading((pets) => {
      if (pets.some(({ status }) => !statuses.includes(status)))
        fail('There is an unknown status.');
    }),
  ),
  mutant(
    'first-pet-taken-for-granted',
    ['response.empty-page'],
    reading(([first]) => {
      if (first === undefined) fail('There is no first pet.');
    }),
  ),
  mutant(
    'greatest-id-of-no-pets',
    ['response.empty-page'],
    reading((pets) => {
      void pets
        .map(({ id }) => id)
        .reduce((one, other) => (Number(one) > Number(other) ? one : other));
    }),
  ),
  mutant(
    'full-page-refused',
    ['response.full-page'],
    reading((pets) => {
      if (pets.length >= 100) fail('There may be more pets than are shown.');
    }),
  ),
  mutant('pages-guessed-until-one-is-short', ['response.full-page', 'response.empty-page'], {
    work: guessPages,
  }),
  mutant('deprecated-operation-used', gone, getting(idOf)),
  mutant(
    'deprecated-operation-used-before-it-goes',
    ['getPet.deprecated'],
    getting(idOf, (now) => now < sunset),
  ),
  mutant(
    'removed-operation-used',
    ['getPet.removed'],
    getting(idOf, (now) => now >= sunset),
  ),
];
