import type { Call, ServiceResponse, ServiceBehaviour } from '../../service/behaviour.ts';
import { isRefusal } from '../../service/behaviour.ts';
import type { JsonRecord } from '../../service/json.ts';
import { isRecord } from '../../service/json.ts';
import { parseBody, readNewPet } from '../../service/new-pet.ts';
import { createPet, respond } from '../../service/operations.ts';
import { isInt64, isPetStatus } from '../../service/pet.ts';
import type { Mutant } from '../../subject/mutant.ts';

const not400 = ['createPet/state.not-written.400'] as const;
const not401 = ['createPet/state.not-written.401'] as const;

/** Refused requests that leave a pet behind. */
export const stateWrittenMutants: readonly Mutant[] = [
  writtenInSpite('any', 'whatever is wrong with it', () => true),
  writtenInSpite(
    'status-unknown',
    'where its status is none of the three',
    ({ status }) => typeof status === 'string' && !isPetStatus(status),
  ),
  writtenInSpite(
    'status-mistyped',
    'where its status is no text',
    ({ status }) => status !== undefined && typeof status !== 'string',
  ),
  writtenInSpite(
    'category-id-missing',
    'where its categoryId is missing',
    ({ categoryId }) => categoryId === undefined,
  ),
  writtenInSpite(
    'category-id-mistyped',
    'where its categoryId is no integer',
    ({ categoryId }) => categoryId !== undefined && typeof categoryId !== 'bigint',
  ),
  writtenInSpite(
    'category-id-out-of-range',
    'where its categoryId is beyond 64 bits',
    ({ categoryId }) => typeof categoryId === 'bigint' && !isInt64(categoryId),
  ),
  unauthorized('any', 'without a valid key', () => true),
  unauthorized('missing', 'without a key', (authorization) => authorization === undefined),
  unauthorized('wrong', 'with a wrong key', (authorization) => authorization !== undefined),
];

function writtenInSpite(
  id: string,
  words: string,
  isWritten: (body: JsonRecord) => boolean,
): Mutant {
  return {
    id: `written-in-spite-of-400-${id}`,
    breaks: not400,
    summary: `A body is stored before it is checked and not taken back, ${words}.`,
    behaviour: () => ({
      createPet: async (call, all) => {
        const response = await createPet(call, all);
        const body = parseBody(call.body);
        if (response.status === 400 && !isRefusal(body) && isRecord(body) && isWritten(body))
          await store(body, call, all);
        return response;
      },
    }),
  };
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
  const refuseLate = async (call: Call, all: ServiceBehaviour): Promise<ServiceResponse> => {
    const { route, key, headers } = call;
    const written =
      key === undefined &&
      route.kind === 'operation' &&
      route.operation === 'createPet' &&
      isWritten(headers.authorization);
    if (written) await all.createPet(call, all);
    return respond(call, all);
  };
  return {
    id: `written-in-spite-of-401-${id}`,
    breaks: not401,
    summary: `The key is checked after the pet is stored, ${words}.`,
    behaviour: () => ({ respond: refuseLate }),
  };
}
