import { isRefusal, type Call, type Parts, type WireResponse } from '../service/behaviour.ts';
import { isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import type { Pet } from '../service/pet.ts';
import { type Mutant, createMutant, createMutants, needing } from '../subject/mutant.ts';

/** Requests that bring a server down, with the operation that they go to. */
interface Trigger {
  readonly id: string;
  readonly operation: 'listPets' | 'createPet' | 'getPet';
  /** In words that follow "A request". */
  readonly words: string;
  readonly fits: (call: Call, wireResponse: WireResponse) => boolean;
}

/** A list, by its target. */
function list(id: string, words: string, target: RegExp): Trigger {
  return { id, operation: 'listPets', words, fits: (call) => target.test(call.target) };
}

/** An addition, by the text of its body. */
function addition(id: string, words: string, fits: (text: string, call: Call) => boolean): Trigger {
  const operation = 'createPet';
  return {
    id,
    operation,
    words,
    fits: (call) => call.method === 'POST' && fits(new TextDecoder().decode(call.body), call),
  };
}

/** A request for one pet, by its target and the status of its response. */
function single(id: string, words: string, target: RegExp, status?: number): Trigger {
  const fits: Trigger['fits'] = (call, response) =>
    target.test(call.target) && (status === undefined || response.status === status);
  return { id, operation: 'getPet', words, fits };
}

const noBody = addition('no-body', 'without a body, which is waited for', (text) => text === '');
const malformed = addition(
  'malformed',
  'whose body is no JSON',
  (_text, { body }) => body.length > 0 && isRefusal(parseBody(body)),
);
const nul = addition('nul', 'with a NUL character in the name', (text) =>
  text.includes(String.raw`\u0000`),
);
const long = addition(
  'long-name',
  'with a name of more than 1,000 characters',
  (_text, { body }) => body.length > 1000,
);
const least = addition('least-integer', 'with the least integer of 64 bits', (text) =>
  text.includes('-9223372036854775808'),
);
const nested = addition('name-object', 'whose name is an object', (_text, { body }) => {
  const value = parseBody(body);
  return !isRefusal(value) && isRecord(value) && isRecord(value['name'] ?? null);
});
const unknownMember = addition('unknown-property', 'with a property that no pet has', (text) =>
  text.includes('notInTheContract'),
);
const clientId = addition('client-id', 'with an id, as for an update,', (text) =>
  text.includes('"id":'),
);
const beyond = list('limit-101', 'with limit=101', /limit=101/);
const unknownStatus = list('unknown-status', 'for pets of an unknown status', /status=unknown/);
const zero = list('limit-zero', 'with limit=0', /limit=0/);
const manyPets: Trigger = {
  id: 'many',
  operation: 'listPets',
  words: 'for a list of more than fifteen pets',
  fits: ({ method }, { status, bytes }) =>
    method === 'GET' && status === 200 && new TextDecoder().decode(bytes).split('"id"').length > 16,
};
const absent = single('absent', 'for an id that no pet has', /\/\d+$/, 404);
const letters = single('letters', 'for an id of letters', /\/abc$/);
const beyondInt64 = single('beyond-int64', 'for an id beyond 64 bits', /\/9223372036854775808$/);

const deliveries = {
  hang: 'is never answered',
  reset: 'brings the process down, and the connection is reset',
  cut: 'is answered in part, then the connection ends',
} as const;

function breaking(
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

function hasHalf({ name }: Pet): boolean {
  return !name.isWellFormed();
}

/** Lists fail, or cannot be read, as long as a pet has half of a character in its name. */
function chokingOnSurrogates(choke: (wire: WireResponse) => WireResponse): Parts {
  return {
    finish: (wire, call) => {
      const isList = call.route.kind === 'operation' && call.route.operation === 'listPets';
      const isServed = isList && wire.status === 200;
      return isServed && call.inventory.pets.values().some(hasHalf) ? choke(wire) : wire;
    },
  };
}

/** An item that is stored, and breaks every list after it. */
const broken = needing(
  'more',
  createMutants(['listPets/robustness.no-server-error', 'listPets/status.200'], {
    'surrogate-breaks-lists': [
      'A lone surrogate is stored, and every list after it is answered 500.',
      chokingOnSurrogates((wire) => ({ ...wire, status: 500, bytes: renderFailure(500) })),
    ],
    'surrogate-cuts-lists': [
      'A lone surrogate is stored, and every list after it ends before its last bracket.',
      chokingOnSurrogates((wire) => ({ ...wire, bytes: wire.bytes.slice(0, -1) })),
      ['listPets/response.200.body'],
    ],
  }),
);

/**
 * Such a request gets a 503 that asks for a wait of 20 seconds. Whoever sends anything within the wait
 * is banned for an hour: a suite that does not wait learns nothing more.
 */
function banningAfterOverload({ fits }: Trigger): Parts {
  let waitUntil = 0;
  let bannedUntil = 0;
  return {
    finish: (wire, call) => {
      if (call.now < waitUntil) bannedUntil = call.now + 3_600_000;
      if (call.now < bannedUntil) return { ...wire, status: 403, bytes: renderFailure(403) };
      if (!fits(call, wire)) return wire;
      waitUntil = call.now + 20_000;
      const headers = { ...wire.headers, 'Retry-After': '20' };
      return { ...wire, status: 503, headers, bytes: renderFailure(503) };
    },
  };
}

/** Requests that are not answered, or bring the service down. */
export const robustnessMutants: readonly Mutant[] = [
  ...broken,
  ...[noBody, nul, absent].map((trigger) => breaking('hang', trigger)),
  ...[least, nested, unknownStatus].map((trigger) => breaking('reset', trigger)),
  ...[manyPets, long].map((trigger) => breaking('cut', trigger)),
  ...[letters, malformed, clientId].map((trigger) => failing(trigger, 500)),
  ...[zero, beyondInt64, unknownMember].map((trigger) => failing(trigger, 500)),
  failing(beyond, 503),
  createMutant(
    '503-beyond-then-ban',
    ['listPets/robustness.no-server-error'],
    `A request ${beyond.words} gets a 503 with Retry-After, and a request within the wait bans the key.`,
    () => banningAfterOverload(beyond),
  ),
];
