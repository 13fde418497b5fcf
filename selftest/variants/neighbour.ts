import type { Call, ServiceBehaviour } from '../service/behaviour.ts';
import { seedPets, takeId } from '../service/inventory.ts';
import { count } from '../service/limiter.ts';
import { petStatuses } from '../service/pet.ts';
import { keep, scatter } from '../subject/alter.ts';
import { type Variant, createVariants } from '../subject/subject.ts';

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
const burst = (at: number) => sharing((ordinal) => (ordinal === at ? 2_000 : 0));

const flipStatus = (call: Call): void => {
  const { ordinal, inventory } = call;
  for (const pet of inventory.pets.values())
    if (pet.id <= 8n && (pet.id + BigInt(ordinal)) % 4n === 0n)
      keep({ ...pet, status: petStatuses[scatter(ordinal + Number(pet.id)) % 3] }, call);
};

/** Other clients of the same service. */
export const neighbourVariants: readonly Variant[] = [
  ...createVariants(
    'What the service does: clients add animals, and nothing says that there is only one client.',
    {
      'neighbour-adds': [
        'Another client adds a pet before every third request.',
        { arrive: adding((ordinal) => Number(ordinal % 3 === 0)) },
      ],
      'neighbour-adds-beyond-page': [
        'Other clients add five pets before each request to a service whose longest list is full.',
        { seed: () => seedPets(98), arrive: adding(() => 5) },
      ],
      'neighbour-changes-status': [
        'The status of old pets changes by itself.',
        { arrive: flipStatus },
        'States and transitions / Gaps: transitions are not shown (x-unspecified status-transitions).',
      ],
    },
    { isShared: true },
  ),
  ...createVariants(
    'Limits / Gaps: whether counts are kept per key is not shown; Remaining is what is left in the window, whoever used the rest.',
    {
      'neighbour-shares-key': [
        'Other clients use the same key: Remaining falls by two to five.',
        sharing((ordinal) => 1 + (scatter(ordinal) % 4)),
      ],
      'neighbour-shares-key-and-adds': [
        'Other clients add pets with the same key.',
        {
          ...sharing((ordinal) => scatter(ordinal) % 3),
          arrive: adding((ordinal) => scatter(ordinal) % 3),
        },
      ],
      'neighbour-burst-first': [
        'Somebody uses up the window with the same key before the fifth request.',
        burst(5),
      ],
      'neighbour-burst': [
        'Somebody uses up the window with the same key at once: 429 while 30 requests seemed left.',
        burst(30),
      ],
    },
    { isShared: true },
  ),
];
