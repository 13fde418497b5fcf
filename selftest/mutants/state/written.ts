import {
  type Call,
  type Parts,
  type ServiceBehaviour,
  isRefusal,
  take,
} from '../../service/behaviour.ts';
import { type JsonRecord, isRecord } from '../../service/json.ts';
import { parseBody, readNewPet } from '../../service/new-pet.ts';
import { createPet, respond } from '../../service/operations.ts';
import { isCallOf } from '../../subject/place.ts';
import { isInt64, isPetStatus, type NewPet } from '../../service/pet.ts';
import { type Mutant, listMutants } from '../../subject/mutant.ts';

/** A service that stores some bodies that it refuses. */
const storingFirst = (isWritten: (body: JsonRecord) => boolean): Parts => ({
  createPet: async (call, all) => {
    const response = await createPet(call, all);
    const body = parseBody(call.body);
    if (response.status === 400 && !isRefusal(body) && isRecord(body) && isWritten(body))
      await store(body, call, all);
    return response;
  },
});

/** Stores what of a body can be stored, in a valid form. */
async function store(body: JsonRecord, call: Call, all: ServiceBehaviour): Promise<void> {
  const { name, categoryId, status } = readNewPet(body);
  const value = { name, categoryId: BigInt.asIntN(64, categoryId), status, rest: {} };
  await all.store({ id: await all.assignId(value, call), ...value }, call);
}

/** A service that adds the pets of some clients whose credential it refuses. */
const addingFirst = (isWritten: (authorization: string | undefined) => boolean): Parts => ({
  respond: async (call, all) => {
    const { key, headers } = call;
    if (key === undefined && isCallOf('createPet', call) && isWritten(headers.authorization))
      await all.createPet(call, all);
    return respond(call, all);
  },
});

/** Stores a pet of its own making, as where every member has a default. */
async function storeDefaults(value: NewPet, call: Call, all: ServiceBehaviour): Promise<void> {
  await all.store({ id: await all.assignId(value, call), ...value }, call);
}

/** A service that adds a pet with defaults where it answers a status to an addition. */
const addingDefaults = (
  status: 400 | 401,
  value: NewPet,
  isAdded: (body: JsonRecord | undefined) => boolean = () => true,
): Parts => ({
  respond: async (call, all) => {
    const response = await respond(call, all);
    const body = parseBody(call.body);
    const sent = isRefusal(body) || !isRecord(body) ? undefined : body;
    if (response.status === status && isCallOf('createPet', call) && isAdded(sent))
      await storeDefaults(value, call, all);
    return response;
  },
});

const named: NewPet = { name: 'x', categoryId: 1n, status: undefined, rest: {} };
const moved: NewPet = { name: 'x', categoryId: 7n, status: 'sold', rest: {} };

/** What is stored holds nothing of what was sent: only who owns the service knows that it is new. */
const defaultsMutants: readonly Mutant[] = [
  ...listMutants('default-in-spite-of-400-', ['createPet/state.not-written.400'], take, {
    named: ['A pet called x is stored where an addition is refused.', addingDefaults(400, named)],
    moved: [
      'A pet of another category is stored where an addition is refused.',
      addingDefaults(400, moved),
    ],
    'once-for-no-name': [
      'A pet called x is stored where an addition has a category and no name.',
      addingDefaults(
        400,
        named,
        (body) => body !== undefined && body['name'] === undefined && 'categoryId' in body,
      ),
    ],
  }),
  ...listMutants('default-in-spite-of-401-', ['createPet/state.not-written.401'], take, {
    named: ['A pet called x is stored without a valid key.', addingDefaults(401, named)],
    moved: ['A pet of another category is stored without a valid key.', addingDefaults(401, moved)],
  }),
];

/** Refused requests that leave a pet behind. */
export const stateWrittenMutants: readonly Mutant[] = [
  ...listMutants('written-in-spite-of-400-', ['createPet/state.not-written.400'], storingFirst, {
    any: [
      'A body is stored before it is checked and not taken back, whatever is wrong with it.',
      () => true,
    ],
    'status-unknown': [
      'A body is stored before it is checked and not taken back, where its status is none of the three.',
      ({ status }) => typeof status === 'string' && !isPetStatus(status),
    ],
    'category-id-out-of-range': [
      'A body is stored before it is checked and not taken back, where its categoryId is beyond 64 bits.',
      ({ categoryId }) => typeof categoryId === 'bigint' && !isInt64(categoryId),
    ],
  }),
  ...listMutants('written-in-spite-of-401-', ['createPet/state.not-written.401'], addingFirst, {
    any: ['The key is checked after the pet is stored, without a valid key.', () => true],
    wrong: [
      'The key is checked after the pet is stored, with a wrong key.',
      (authorization) => authorization !== undefined,
    ],
  }),
  ...defaultsMutants,
];
