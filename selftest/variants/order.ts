import { scatter } from '../service/scatter.ts';
import type { Pet } from '../service/pet.ts';
import { orderById } from '../service/selection.ts';
import type { Variant } from '../subject/variant.ts';

const lawful =
  'Endpoints / Gaps in the endpoints: the ordering of listed animals is not shown (x-unspecified list-order).';

function ordered(
  id: string,
  summary: string,
  order: (pets: readonly Pet[], count: number) => readonly Pet[],
): Variant {
  const behaviour = (): ReturnType<Variant['behaviour']> => {
    let lists = 0;
    return { order: (pets) => order(pets, (lists += 1)) };
  };
  return { id: `order-${id}`, summary, lawful, behaviour };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function shuffle(pets: readonly Pet[], count: number): readonly Pet[] {
  const rank = (pet: Pet): number => scatter(Number(pet.id % 1_000_003n) * 31 + count * 7_919);
  return pets.toSorted((one, other) => rank(one) - rank(other));
}

/** Lists in any order. */
export const orderVariants: readonly Variant[] = [
  ordered('newest-first', 'The newest pet comes first.', (pets) => orderById(pets).toReversed()),
  ordered('by-name', 'Pets are listed by name.', (pets) =>
    pets.toSorted((one, other) => compare(one.name, other.name)),
  ),
  ordered('by-name-backwards', 'Pets are listed by name, the last first.', (pets) =>
    pets.toSorted((one, other) => compare(other.name, one.name)),
  ),
  ordered('by-status', 'Pets are listed by status, those without one last.', (pets) =>
    pets.toSorted((one, other) => compare(one.status ?? 'z', other.status ?? 'z')),
  ),
  ordered('by-digits', 'Ids are ordered as texts: 10 comes before 9.', (pets) =>
    pets.toSorted((one, other) => compare(String(one.id), String(other.id))),
  ),
  ordered('random', 'The order is another one in each response.', shuffle),
  ordered('turning', 'Each response begins with another pet.', (pets, count) => {
    const start = (count * 3) % Math.max(1, pets.length);
    return [...pets.slice(start), ...pets.slice(0, start)];
  }),
];
