import { isRefusal, type WireResponse, type Call } from '../service/behaviour.ts';
import { isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import { createMutant } from '../subject/response-change.ts';
import type { Mutant } from '../subject/mutant.ts';

/** Requests that bring a server down, with the operation that they go to. */
interface Trigger {
  readonly id: string;
  readonly operation: 'listPets' | 'createPet' | 'getPet';
  /** In words that follow "A request". */
  readonly words: string;
  readonly fits: (call: Call, wireResponse: WireResponse) => boolean;
}

function sent({ body }: Call): string {
  return new TextDecoder().decode(body);
}

function isPost({ method }: Call): boolean {
  return method === 'POST';
}

const noBody: Trigger = {
  id: 'no-body',
  operation: 'createPet',
  words: 'without a body, which is waited for',
  fits: (call) => isPost(call) && call.body.length === 0,
};
const malformed: Trigger = {
  id: 'malformed',
  operation: 'createPet',
  words: 'whose body is no JSON',
  fits: (call) => isPost(call) && call.body.length > 0 && isRefusal(parseBody(call.body)),
};
const nullBody: Trigger = {
  id: 'null-body',
  operation: 'createPet',
  words: 'whose body is null',
  fits: (call) => isPost(call) && sent(call) === 'null',
};
const nul: Trigger = {
  id: 'nul',
  operation: 'createPet',
  words: 'with a NUL character in the name',
  fits: (call) => isPost(call) && sent(call).includes(String.raw`\u0000`),
};
const long: Trigger = {
  id: 'long-name',
  operation: 'createPet',
  words: 'with a name of more than 1,000 characters',
  fits: (call) => isPost(call) && call.body.length > 1000,
};
const least: Trigger = {
  id: 'least-integer',
  operation: 'createPet',
  words: 'with the least integer of 64 bits',
  fits: (call) => isPost(call) && sent(call).includes('-9223372036854775808'),
};
const nested: Trigger = {
  id: 'name-object',
  operation: 'createPet',
  words: 'whose name is an object',
  fits: (call) => isNameObject(call),
};
const sold: Trigger = {
  id: 'sold',
  operation: 'listPets',
  words: 'for sold pets',
  fits: ({ target }) => target.includes('status=sold'),
};
const beyond: Trigger = {
  id: 'limit-101',
  operation: 'listPets',
  words: 'with limit=101',
  fits: ({ target }) => target.includes('limit=101'),
};
const unknownStatus: Trigger = {
  id: 'unknown-status',
  operation: 'listPets',
  words: 'for pets of an unknown status',
  fits: ({ target }) => target.includes('status=unknown'),
};
const fewest: Trigger = {
  id: 'small-limit',
  operation: 'listPets',
  words: 'for fewer pets than a page of the database holds',
  fits: ({ target }) => /limit=\d(&|$)/.test(target),
};
const manyPets: Trigger = {
  id: 'many',
  operation: 'listPets',
  words: 'for a list of more than fifteen pets',
  fits: ({ method }, { status, bytes }) =>
    method === 'GET' && status === 200 && new TextDecoder().decode(bytes).split('"id"').length > 16,
};
const absent: Trigger = {
  id: 'absent',
  operation: 'getPet',
  words: 'for an id that no pet has',
  fits: ({ target }, { status }) => /\/\d+$/.test(target) && status === 404,
};
const letters: Trigger = {
  id: 'letters',
  operation: 'getPet',
  words: 'for an id of letters',
  fits: ({ target }) => target.endsWith('/abc'),
};
const found: Trigger = {
  id: 'found',
  operation: 'getPet',
  words: 'for a pet that is there',
  fits: ({ target }, { status }) => /\/\d+$/.test(target) && status === 200,
};
const anonymousPost: Trigger = {
  id: 'anonymous',
  operation: 'createPet',
  words: 'without a key',
  fits: (call) => isPost(call) && call.key === undefined,
};

const zero: Trigger = {
  id: 'limit-zero',
  operation: 'listPets',
  words: 'with limit=0',
  fits: ({ target }) => target.includes('limit=0'),
};
const limitLetters: Trigger = {
  id: 'limit-letters',
  operation: 'listPets',
  words: 'with letters as limit',
  fits: ({ target }) => /limit=[a-z]/.test(target),
};
const beyondInt64: Trigger = {
  id: 'beyond-int64',
  operation: 'getPet',
  words: 'for an id beyond 64 bits',
  fits: ({ target }) => target.endsWith('/9223372036854775808'),
};
const unknownMember: Trigger = {
  id: 'unknown-property',
  operation: 'createPet',
  words: 'with a property that no pet has',
  fits: (call) => isPost(call) && sent(call).includes('notInTheContract'),
};
const clientId: Trigger = {
  id: 'client-id',
  operation: 'createPet',
  words: 'with an id, as for an update,',
  fits: (call) => isPost(call) && sent(call).includes('"id":'),
};

function isNameObject(call: Call): boolean {
  const body = isPost(call) ? parseBody(call.body) : undefined;
  return !isRefusal(body) && isRecord(body) && isRecord(body['name'] ?? null);
}

const deliveries = {
  hang: 'is never answered',
  reset: 'brings the process down, and the connection is reset',
  cut: 'is answered in part, then the connection ends',
} as const;

function broken(
  delivery: keyof typeof deliveries,
  { id, operation, words, fits }: Trigger,
): Mutant {
  const mutant = createMutant(
    `${delivery}-${id}`,
    [`${operation}/robustness.answered`],
    `A request ${words} ${deliveries[delivery]}.`,
    {
      finish: (wireResponse, call) =>
        fits(call, wireResponse) ? { ...wireResponse, delivery } : wireResponse,
    },
  );
  return delivery === 'hang' ? { ...mutant, hangs: true } : mutant;
}

/** A request outside the contract, or where the document is silent, makes the service fail. */
function failing({ id, operation, words, fits }: Trigger, status: number): Mutant {
  return createMutant(
    `${status}-${id}`,
    [`${operation}/robustness.no-server-error`],
    `A request ${words} is answered ${status}.`,
    {
      finish: (wireResponse, call) =>
        fits(call, wireResponse)
          ? { ...wireResponse, status, bytes: renderFailure(status) }
          : wireResponse,
    },
  );
}

function renderFailure(status: number): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify({ code: 'internal_error', message: 'The service failed.', status }),
  );
}

/** Requests that are not answered, or bring the service down. */
export const robustnessMutants: readonly Mutant[] = [
  ...[noBody, malformed, nul, long, sold, beyond, absent, letters, anonymousPost].map((trigger) =>
    broken('hang', trigger),
  ),
  ...[malformed, nullBody, nul, least, nested, unknownStatus, absent].map((trigger) =>
    broken('reset', trigger),
  ),
  ...[manyPets, fewest, found, long].map((trigger) => broken('cut', trigger)),
  ...[beyond, unknownStatus, letters, malformed, clientId].map((trigger) => failing(trigger, 500)),
  ...[zero, limitLetters, beyondInt64, unknownMember].map((trigger) => failing(trigger, 500)),
  failing(beyond, 503),
  failing(letters, 502),
  failing(unknownStatus, 501),
];
