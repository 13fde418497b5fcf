import type { Call, ServiceBehaviour } from '../service/behaviour.ts';
import { scatter } from '../subject/scatter.ts';
import { seedPets, takeId } from '../service/inventory.ts';
import { count } from '../service/limiter.ts';
import { type Pet, petStatuses } from '../service/pet.ts';
import { type Variant, createVariants, shared } from '../subject/variant.ts';

const pets =
  'What the service does: clients add animals, and nothing says that there is only one client.';
const keys =
  'Limits / Gaps: whether counts are kept per key is not shown; Remaining is what is left in the window, whoever used the rest.';
const states =
  'States and transitions / Gaps: transitions are not shown (x-unspecified status-transitions).';

/** What another client adds before the request. */
function adding(
  howMany: (ordinal: number) => number,
  status: (ordinal: number) => Pet['status'] = () => 'available',
): ServiceBehaviour['arrive'] {
  return ({ ordinal, inventory }) => {
    for (let index = howMany(ordinal); index > 0; index -= 1) {
      const id = takeId(inventory);
      inventory.pets.set(id, {
        id,
        name: `Pet of somebody else ${id}`,
        categoryId: (id % 3n) + 1n,
        status: status(ordinal + index),
        rest: {},
      });
    }
  };
}

/** Other clients with the same key make requests before ours; each is counted as ours is. */
function sharing(howMany: (ordinal: number) => number): Pick<ServiceBehaviour, 'count'> {
  return {
    count: (call, all) => {
      const others = call.key === undefined ? 0 : howMany(call.ordinal);
      for (let index = 0; index < others && count(call, all).allowed; index += 1);
      return count(call, all);
    },
  };
}

/** Once, somebody uses up all that the window has left. */
function burst(at: number): Pick<ServiceBehaviour, 'count'> {
  return sharing((ordinal) => (ordinal === at ? 2_000 : 0));
}

const flipStatus = ({ ordinal, inventory }: Call): void => {
  for (const pet of inventory.pets.values()) {
    const isOld = pet.id <= 8n;
    if (isOld && (pet.id + BigInt(ordinal)) % 4n === 0n)
      inventory.pets.set(pet.id, {
        ...pet,
        status: petStatuses[scatter(ordinal + Number(pet.id)) % 3],
      });
  }
};

/** Other clients of the same service. */
export const neighbourVariants: readonly Variant[] = shared(
  createVariants('neighbour', keys, {
    adds: [
      'Another client adds a pet before every third request.',
      { arrive: adding((ordinal) => Number(ordinal % 3 === 0)) },
      pets,
    ],
    'adds-many': [
      'Other clients add five pets before each request.',
      { arrive: adding(() => 5) },
      pets,
    ],
    'adds-any-status': [
      'Other clients add pets of every status and of none.',
      {
        arrive: adding(
          (ordinal) => ordinal % 3,
          (ordinal) => petStatuses[ordinal % 4],
        ),
      },
      pets,
    ],
    'adds-newest-first': [
      'Other clients add pets, and the newest comes first.',
      { arrive: adding((ordinal) => ordinal % 3), order: (all) => [...all].toReversed() },
      pets,
    ],
    'adds-beyond-page': [
      'Other clients add pets to a service whose longest list is full.',
      { seed: () => seedPets(98), arrive: adding((ordinal) => ordinal % 2) },
      pets,
    ],
    'shares-key': [
      'Other clients use the same key: Remaining falls by two to five.',
      () => sharing((ordinal) => 1 + (scatter(ordinal) % 4)),
    ],
    'shares-key-now-and-then': [
      'Another client uses the same key now and then.',
      () => sharing((ordinal) => (scatter(ordinal) % 5 === 0 ? 3 : 0)),
    ],
    'shares-key-and-adds': [
      'Other clients add pets with the same key.',
      {
        ...sharing((ordinal) => scatter(ordinal) % 3),
        arrive: adding((ordinal) => scatter(ordinal) % 3),
      },
    ],
    'burst-first': [
      'Somebody uses up the window with the same key before the fifth request.',
      () => burst(5),
    ],
    burst: [
      'Somebody who was still uses up the window with the same key at once: 429 while 30 requests seemed left.',
      () => burst(30),
    ],
    'burst-late': [
      'Somebody who was still uses up the window with the same key at once, late in the run.',
      () => burst(52),
    ],
    'changes-status': ['The status of old pets changes by itself.', { arrive: flipStatus }, states],
  }),
);
