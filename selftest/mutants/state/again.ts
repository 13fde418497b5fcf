import {
  type Call,
  type Parts,
  type Refusal,
  type ServiceBehaviour,
  type ServiceResponse,
  createRefusal,
  isRefusal,
} from '../../service/behaviour.ts';
import { takeId } from '../../service/inventory.ts';
import { parseBody } from '../../service/new-pet.ts';
import { createPet, refuse } from '../../service/operations.ts';
import { type NewPet, type Pet, presentPet } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { type Mutant, createMutants, listMutants, needing } from '../../subject/mutant.ts';
import { changingPet, readRequirements } from '../../subject/pet-change.ts';

type IsTwin = (one: NewPet, other: Pet) => boolean;

const isSameName: IsTwin = ({ name }, other) => name === other.name;

const isSame: IsTwin = (one, other) =>
  one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;

type Answer = (twin: Pet, call: Call, all: ServiceBehaviour) => ServiceResponse;

/** A service that treats a body like that of a pet it has in its own way. */
const meeting =
  (isTwin: IsTwin) =>
  (answer: Answer): Parts => ({
    createPet: async (call, all) => {
      const body = parseBody(call.body);
      const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
      const twin = isRefusal(sent)
        ? undefined
        : [...call.inventory.pets.values()].find((pet) => isTwin(sent, pet));
      return twin === undefined ? await createPet(call, all) : answer(twin, call, all);
    },
  });

const refusing =
  (status: number): Answer =>
  (_twin, call, all) =>
    refuse(createRefusal(status, 'already_exists', 'There is such a pet.'), call, all);

const pretend = (pet: Pet, status: number): ServiceResponse => ({
  status,
  body: presentPet(pet),
  headers: {},
});

const answering =
  (status: number): Answer =>
  (twin) =>
    pretend(twin, status);

const created = [
  'createPet/status.201',
  'createPet/robustness.no-server-error',
  'createPet/state.id-unique',
] as const;

const twins: readonly Mutant[] = [
  ...listMutants('twin-', created, meeting(isSame), {
    'refused-409': ['A pet like one that there is gets 409: a unique index.', refusing(409)],
    'answered-201': [
      'A pet like one that there is gets 201 and that pet.',
      answering(201),
      ['createPet/state.id-unique'],
    ],
    'not-stored': [
      'A pet like one that there is gets an identifier of its own and is not stored.',
      (twin, { inventory }) => pretend({ ...twin, id: takeId(inventory) }, 201),
      ['listPets/state.listed', 'getPet/state.readable'],
    ],
  }),
  ...listMutants('name-twin-', created, meeting(isSameName), {
    'refused-409': ['A name is taken once: then it gets 409.', refusing(409)],
  }),
];

/** A service in front of which a cache remembers what was found by an identifier. */
function remembering(
  isKept: (found: Pet | Refusal, call: Call) => boolean,
  read: (found: Pet | Refusal) => Pet | Refusal = (found) => found,
): Parts {
  const known = new Map<string, Pet | Refusal>();
  return {
    find: (petId, call) => {
      const before = known.get(petId);
      if (before !== undefined) return read(before);
      const found = find(petId, call);
      if (isKept(found, call)) known.set(petId, found);
      return found;
    },
  };
}

const changing = (change: (pet: Pet) => Pet) => (): Parts =>
  remembering(
    (found) => !isRefusal(found),
    (found) => (isRefusal(found) ? found : change(found)),
  );

const cached: readonly Mutant[] = [
  ...createMutants(['getPet/state.readable', 'getPet/status.200'], {
    'get-404-remembered': [
      'A cache remembers for good that nothing had an identifier.',
      () => remembering(isRefusal),
    ],
  }),
  ...createMutants(['getPet/state.read.categoryId'], {
    'get-again-rounded': [
      'The second read comes from a cache that keeps integers as doubles.',
      changing((pet) => ({
        ...pet,
        categoryId: BigInt.asIntN(64, BigInt(Number(pet.categoryId))),
      })),
    ],
  }),
  ...createMutants(['getPet/state.read.status'], {
    'get-again-without-status': [
      'The second read comes from a cache that leaves the status out.',
      changing((pet) => ({ ...pet, status: undefined })),
    ],
  }),
];

/** The same pet added twice, and the same pet read twice or before it is there. */
/** What is lost once there are many pets: a run finds it, and not only the next one on the same server. */
const late = needing(
  'more',
  listMutants(
    'late-',
    [...readRequirements('status', 'stored'), 'listPets/state.listed'],
    (isLost: (pet: Pet) => boolean) =>
      changingPet('stored', (pet) =>
        pet.id > 33n && isLost(pet) ? { ...pet, status: 'available' } : pet,
      ),
    {
      'status-lost': [
        'From the 26th addition on, every status is stored as available.',
        ({ status }) => status !== undefined,
      ],
    },
  ),
);

export const againMutants: readonly Mutant[] = [...twins, ...cached, ...late];
