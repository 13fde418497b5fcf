import type { Parts } from '../service/behaviour.ts';
import { scatter } from '../subject/scatter.ts';
import type { Pet } from '../service/pet.ts';
import { type Variant, listVariants } from '../subject/variant.ts';

const valid =
  'Endpoints / Gaps in the endpoints: the ordering of listed animals is not shown (x-unspecified list-order).';

type Order = (pets: readonly Pet[], count: number) => readonly Pet[];

/** Orders lists by their number, from 1. */
function ordered(order: Order): Parts {
  let lists = 0;
  return { order: (pets) => order(pets, (lists += 1)) };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** By a text of each pet, in the order of its UTF-16 code units. */
function by(read: (pet: Pet) => string, isBackwards = false): Order {
  const factor = isBackwards ? -1 : 1;
  return (pets) => pets.toSorted((one, other) => factor * compare(read(one), read(other)));
}

function shuffle(pets: readonly Pet[], count: number): readonly Pet[] {
  const rank = (pet: Pet): number => scatter(Number(pet.id % 1_000_003n) * 31 + count * 7_919);
  return pets.toSorted((one, other) => rank(one) - rank(other));
}

/** The pets from an index on, and then those before it. */
export function turn(pets: readonly Pet[], index: number): readonly Pet[] {
  const start = index % Math.max(1, pets.length);
  return [...pets.slice(start), ...pets.slice(0, start)];
}

export const orderVariants: readonly Variant[] = listVariants('order', valid, ordered, {
  'by-name': ['Pets are listed by name.', by(({ name }) => name)],
  'by-name-backwards': ['Pets are listed by name, the last first.', by(({ name }) => name, true)],
  'by-status': [
    'Pets are listed by status, those without one last.',
    by(({ status }) => status ?? 'z'),
  ],
  'by-digits': ['Ids are ordered as texts: 10 comes before 9.', by(({ id }) => String(id))],
  random: ['The order is another one in each response.', shuffle],
  turning: ['Each response begins with another pet.', (pets, count) => turn(pets, count * 3)],
});
