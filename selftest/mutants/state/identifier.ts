import { type Parts, type ServiceBehaviour } from '../../service/behaviour.ts';
import { seedPets, takeId } from '../../service/inventory.ts';
import { createPet } from '../../service/operations.ts';
import { type Pet, isInt64, presentPet } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { type Mutant, createMutants, listMutants, requirementsOf } from '../../subject/mutant.ts';
import { keep } from '../../subject/pet-change.ts';

const unique = [
  'createPet/state.id-unique',
  'createPet/concurrency.unique',
  'createPet/concurrency.stored',
  'listPets/state.listed',
] as const;
const readable = [
  'getPet/state.readable',
  'getPet/status.200',
  'createPet/concurrency.stored',
] as const;

const wrongPet = ['getPet/state.read.id'] as const;
const readMembers = [
  'getPet/state.read.name',
  'getPet/state.read.categoryId',
  'getPet/state.read.status',
] as const;

const assigning = (assignId: ServiceBehaviour['assignId']): Parts => ({ assignId });

const assignments: readonly Mutant[] = [
  ...listMutants('id-', unique, assigning, {
    'of-a-few': [
      'Identifiers come from a pool of five.',
      (_value, call) => 1000n + (takeId(call.inventory) % 5n),
      requirementsOf([...unique, ...readMembers]),
    ],
    'every-fourth-again': [
      'Every fourth identifier is the one before it again.',
      (_value, call) => {
        const next = takeId(call.inventory);
        return next % 4n === 0n ? next - 1n : next;
      },
    ],
    'of-a-listed-pet': [
      'Counting starts at 5 although the inventory has more: a sequence that was not moved on.',
      (_value, call) => takeId(call.inventory) - 4n,
    ],
  }),
  ...createMutants(unique, {
    'id-again-after-refusal': [
      'A refused addition takes the counter back although it had not been moved.',
      {
        createPet: async (call, all) => {
          const response = await createPet(call, all);
          if (response.status === 400 && call.inventory.nextId > 9n) call.inventory.nextId -= 1n;
          return response;
        },
      },
    ],
    'id-from-client': [
      'An identifier that the client sends is taken.',
      {
        acceptNewPet: (value) => value,
        assignId: ({ rest }, { inventory }) =>
          isInt64(rest['id']) ? rest['id'] : takeId(inventory),
        store: (pet, call) => keep({ ...pet, rest: {} }, call),
        presentCreated: (pet) => presentPet({ ...pet, rest: {} }),
      },
      ['createPet/state.id-assigned', 'createPet/state.id-unique'],
    ],
  }),
];

function seedFrom(start: bigint): Parts {
  return { seed: () => seedPets(8).map((pet) => ({ ...pet, id: start + pet.id })) };
}

const present = (pet: Pet) => presentPet({ ...pet, id: BigInt(Number(pet.id)) });
const presentRounded: Parts = {
  presentCreated: present,
  presentInList: present,
  presentItem: present,
};

const roundedBreaks = [
  ...unique,
  ...readable,
  ...wrongPet,
  ...readMembers,
  'listPets/state.distinct',
  'listPets/state.read.name',
  'listPets/state.read.categoryId',
  'listPets/state.read.status',
] as const;

const rounded = createMutants(roundedBreaks, {
  'id-through-double-2-53': [
    'Identifiers from 2^53 on are answered through a double, so that each odd one is its neighbour.',
    { ...seedFrom(2n ** 53n), ...presentRounded },
  ],
  'id-read-through-double': [
    'The identifier of a path is read as a double, so that odd ones beyond 2^53 find their neighbour or nothing.',
    {
      ...seedFrom(2n ** 53n),
      find: (petId, call) => find(String(BigInt(Number(petId) || 0)), call),
    },
    ['getPet/state.read.id', ...readable],
  ],
  'id-read-as-32-bits': [
    'The identifier of a path is cut to 32 bits, so that pets beyond are not found.',
    {
      ...seedFrom(2n ** 40n),
      find: (petId, call) =>
        find(/^\d+$/.test(petId) ? String(BigInt.asIntN(32, BigInt(petId))) : petId, call),
    },
    ['getPet/status.200', ...readable],
  ],
});

/** Identifiers given twice, taken from clients or lost. */
export const identifierMutants: readonly Mutant[] = [...assignments, ...rounded];
