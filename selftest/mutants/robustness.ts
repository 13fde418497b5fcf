import { isRefusal, type Call, type Parts, type WireResponse } from '../service/behaviour.ts';
import { isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import { type Mutant, createMutant, createMutants, needing } from '../subject/mutant.ts';

/** What becomes of a request that a server cannot stand: a status is a response that says so. */
type Breakage = 'hang' | 'reset' | 'cut' | 500 | 503;

type Fits = (call: Call, wire: WireResponse) => boolean;

const words: Readonly<Record<Breakage, string>> = {
  hang: 'is never answered',
  reset: 'brings the process down, and the connection is reset',
  cut: 'is answered in part, then the connection ends',
  500: 'is answered 500',
  503: 'is answered 503',
};

const to = (target: RegExp): Fits => {
  return (call) => target.test(call.target);
};
const sending = (text: string): Fits => {
  return ({ method, body }) => method === 'POST' && new TextDecoder().decode(body).includes(text);
};

const beyond = to(/limit=101/);

/** Requests outside the contract, or where the document is silent. */
const triggers: readonly (readonly [Breakage, id: string, operation: string, Fits])[] = [
  ['hang', 'no-body', 'createPet', ({ method, body }) => method === 'POST' && body.length === 0],
  [
    'reset',
    'name-object',
    'createPet',
    ({ method, body }) => {
      const value = method === 'POST' ? parseBody(body) : null;
      return !isRefusal(value) && isRecord(value) && isRecord(value['name'] ?? null);
    },
  ],
  [
    'cut',
    'many',
    'listPets',
    ({ method }, { status, bytes }) =>
      method === 'GET' &&
      status === 200 &&
      new TextDecoder().decode(bytes).split('"id"').length > 16,
  ],
  [500, 'letters', 'getPet', to(/\/abc$/)],
  [500, 'beyond-int64', 'getPet', to(/\/9223372036854775808$/)],
  [500, 'malformed', 'createPet', ({ body }) => body.length > 0 && isRefusal(parseBody(body))],
  [500, 'client-id', 'createPet', sending('"id":')],
  [500, 'unknown-property', 'createPet', sending('notInTheContract')],
  [503, 'limit-101', 'listPets', beyond],
];

function fail(wire: WireResponse, status: number): WireResponse {
  const body = { code: 'internal_error', message: 'The service failed.', status };
  return { ...wire, status, bytes: Buffer.from(JSON.stringify(body)) };
}

const broken: readonly Mutant[] = triggers.map(([breakage, id, operation, fits]) => {
  const isStatus = typeof breakage === 'number';
  const requirement = isStatus ? 'robustness.no-server-error' : 'robustness.answered';
  const mutant = createMutant(
    `${breakage}-${id}`,
    [`${operation}/${requirement}`],
    `A request (${id.replaceAll('-', ' ')}) ${words[breakage]}.`,
    {
      finish: (wire, call) =>
        !fits(call, wire)
          ? wire
          : isStatus
            ? fail(wire, breakage)
            : { ...wire, delivery: breakage },
    },
  );
  return breakage === 'hang' ? { ...mutant, hangs: true } : mutant;
});

/** Lists fail, or cannot be read, as long as a pet has half of a character in its name. */
function chokingOnSurrogates(choke: (wire: WireResponse) => WireResponse): Parts {
  return {
    finish: (wire, { route, inventory }) => {
      const isServed =
        route.kind === 'operation' && route.operation === 'listPets' && wire.status === 200;
      const isChoking = inventory.pets.values().some(({ name }) => !name.isWellFormed());
      return isServed && isChoking ? choke(wire) : wire;
    },
  };
}

/** An item that is stored, and breaks every list after it. */
const choking = needing(
  'more',
  createMutants(['listPets/robustness.no-server-error', 'listPets/status.200'], {
    'surrogate-breaks-lists': [
      'A lone surrogate is stored, and every list after it is answered 500.',
      chokingOnSurrogates((wire) => fail(wire, 500)),
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
function banningAfterOverload(): Parts {
  let waitUntil = 0;
  let bannedUntil = 0;
  return {
    finish: (wire, call) => {
      if (call.now < waitUntil) bannedUntil = call.now + 3_600_000;
      if (call.now < bannedUntil) return fail(wire, 403);
      if (!beyond(call, wire)) return wire;
      waitUntil = call.now + 20_000;
      return { ...fail(wire, 503), headers: { ...wire.headers, 'Retry-After': '20' } };
    },
  };
}

/** Requests that are not answered, or bring the service down. */
export const robustnessMutants: readonly Mutant[] = [
  ...choking,
  ...broken,
  createMutant(
    '503-beyond-then-ban',
    ['listPets/robustness.no-server-error'],
    'A request with limit=101 gets a 503 with Retry-After, and a request within the wait bans the key.',
    banningAfterOverload,
  ),
];
