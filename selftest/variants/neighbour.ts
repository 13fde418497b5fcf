import {
  petStatuses,
  takeId,
  seedPets,
  type Call,
  type ServiceBehaviour,
} from '../service/service.ts';
import { keep, scatter, sharingKey, type Variant, createVariants } from '../subject/subject.ts';

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

/** Once, somebody uses up all that the window has left. */
const burst = (at: number) => sharingKey((ordinal) => (ordinal === at ? 2_000 : 0));

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
      'neighbour-shares-key': sharingKey((ordinal) => 1 + (scatter(ordinal) % 4)),
      'neighbour-shares-key-and-adds': {
        ...sharingKey((ordinal) => scatter(ordinal) % 3),
        arrive: adding((ordinal) => scatter(ordinal) % 3),
      },
      'neighbour-burst-first': burst(5),
      'neighbour-burst': burst(30),
    },
    { isShared: true },
  ),
];
