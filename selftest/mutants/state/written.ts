import { type Call, type ServiceBehaviour, isRefusal } from '../../service/behaviour.ts';
import { type JsonRecord, isRecord } from '../../service/json.ts';
import { parseBody, readNewPet } from '../../service/new-pet.ts';
import { createPet, respond } from '../../service/operations.ts';
import { isCallOf } from '../../subject/place.ts';
import { isInt64, isPetStatus } from '../../service/pet.ts';
import { type Mutant, createMutant, mapWays, type Ways } from '../../subject/mutant.ts';

/** Refused requests that leave a pet behind. */
export const stateWrittenMutants: readonly Mutant[] = [
  ...writtenInSpite({
    any: ['whatever is wrong with it', () => true],
    'status-unknown': [
      'where its status is none of the three',
      ({ status }) => typeof status === 'string' && !isPetStatus(status),
    ],
    'status-mistyped': [
      'where its status is no text',
      ({ status }) => status !== undefined && typeof status !== 'string',
    ],
    'category-id-missing': [
      'where its categoryId is missing',
      ({ categoryId }) => categoryId === undefined,
    ],
    'category-id-mistyped': [
      'where its categoryId is no integer',
      ({ categoryId }) => categoryId !== undefined && typeof categoryId !== 'bigint',
    ],
    'category-id-out-of-range': [
      'where its categoryId is beyond 64 bits',
      ({ categoryId }) => typeof categoryId === 'bigint' && !isInt64(categoryId),
    ],
  }),
  unauthorized('any', 'without a valid key', () => true),
  unauthorized('missing', 'without a key', (authorization) => authorization === undefined),
  unauthorized('wrong', 'with a wrong key', (authorization) => authorization !== undefined),
];

function writtenInSpite(ways: Ways<(body: JsonRecord) => boolean>): readonly Mutant[] {
  return mapWays(ways, (id, words, isWritten) =>
    createMutant(
      `written-in-spite-of-400-${id}`,
      ['createPet/state.not-written.400'],
      `A body is stored before it is checked and not taken back, ${words}.`,
      {
        createPet: async (call, all) => {
          const response = await createPet(call, all);
          const body = parseBody(call.body);
          if (response.status === 400 && !isRefusal(body) && isRecord(body) && isWritten(body))
            await store(body, call, all);
          return response;
        },
      },
    ),
  );
}

/** Stores what of a body can be stored, in a lawful form. */
async function store(body: JsonRecord, call: Call, all: ServiceBehaviour): Promise<void> {
  const { name, categoryId, status } = readNewPet(body);
  const value = { name, categoryId: BigInt.asIntN(64, categoryId), status, rest: {} };
  await all.store({ id: await all.assignId(value, call), ...value }, call);
}

function unauthorized(
  id: string,
  words: string,
  isWritten: (authorization: string | undefined) => boolean,
): Mutant {
  const summary = `The key is checked after the pet is stored, ${words}.`;
  return createMutant(
    `written-in-spite-of-401-${id}`,
    ['createPet/state.not-written.401'],
    summary,
    {
      respond: async (call, all) => {
        const { key, headers } = call;
        if (key === undefined && isCallOf('createPet', call) && isWritten(headers.authorization))
          await all.createPet(call, all);
        return respond(call, all);
      },
    },
  );
}
