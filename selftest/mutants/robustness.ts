import { type Call, type Parts, type WireResponse, isRefusal } from '../service/behaviour.ts';
import { isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import { isCallOf } from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

function fail(wire: WireResponse, status: number): WireResponse {
  const body = { code: 'internal_error', message: 'The service failed.', status };
  return { ...wire, status, bytes: Buffer.from(JSON.stringify(body)) };
}

/** Some requests, outside the contract or where the document is silent, get another response. */
function changing(
  fits: (call: Call, wire: WireResponse) => boolean,
  change: (wire: WireResponse) => WireResponse,
): Parts {
  return { finish: (wire, call) => (fits(call, wire) ? change(wire) : wire) };
}

const failingTo = (target: RegExp): Parts =>
  changing(
    (call) => target.test(call.target),
    (wire) => fail(wire, 500),
  );

const deliver = (delivery: WireResponse['delivery']) => (wire: WireResponse) => ({
  ...wire,
  delivery,
});

const hasNameObject = ({ body }: Call): boolean => {
  const value = body.length === 0 ? null : (parseBody(body) ?? null);
  return !isRefusal(value) && isRecord(value) && isRecord(value['name'] ?? null);
};

/**
 * A limit of 101 gets a 503 that asks for a wait of 20 seconds. Whoever sends anything within the wait
 * is banned for an hour: a suite that does not wait learns nothing more.
 */
function banningAfterOverload(): Parts {
  let [waitUntil, bannedUntil] = [0, 0];
  return {
    finish: (wire, { now, target }) => {
      if (now < waitUntil) bannedUntil = now + 3_600_000;
      if (now < bannedUntil) return fail(wire, 403);
      if (!target.includes('limit=101')) return wire;
      waitUntil = now + 20_000;
      return { ...fail(wire, 503), headers: { ...wire.headers, 'Retry-After': '20' } };
    },
  };
}

/** Requests that never get a response, or bring the service down. */
export const robustnessMutants: readonly Mutant[] = [
  ...createMutants('listPets/robustness.answered', {
    'cut-many': [
      'A list of more than 15 pets ends early.',
      changing(
        (call, { bytes }) =>
          isCallOf('listPets', call) && new TextDecoder().decode(bytes).split('"id"').length > 16,
        deliver('cut'),
      ),
    ],
    'hang-no-body': [
      'An addition without a body never gets a response.',
      changing(({ method, body }) => method === 'POST' && body.length === 0, deliver('hang')),
      'createPet/robustness.answered',
      { hangs: true },
    ],
  }),
  ...createMutants('getPet/robustness.no-server-error', {
    '500-letters': ['An identifier of letters is answered 500.', failingTo(/\/abc$/)],
    '500-malformed': [
      'A body that is not JSON is answered 500.',
      changing(
        ({ body }) => body.length > 0 && isRefusal(parseBody(body)),
        (wire) => fail(wire, 500),
      ),
      'createPet/robustness.no-server-error',
    ],
    '500-client-id': [
      'A body with an id is answered 500.',
      changing(
        ({ method, body }) => method === 'POST' && new TextDecoder().decode(body).includes('"id":'),
        (wire) => fail(wire, 500),
      ),
      'createPet/robustness.no-server-error',
    ],
    '503-beyond-then-ban': [
      'A limit of 101 gets a 503 with Retry-After, and a request within the wait bans the key.',
      banningAfterOverload,
      'listPets/robustness.no-server-error',
    ],
  }),
  ...createMutants(
    'getPet/robustness.no-server-error',
    {
      '500-beyond-int64': [
        'An identifier beyond 64 bits is answered 500.',
        failingTo(/\/9223372036854775808$/),
      ],
      'reset-name-object': [
        'A name that is an object brings the process down, and the connection is reset.',
        changing(hasNameObject, deliver('reset')),
        'createPet/robustness.answered',
      ],
      'surrogate-breaks-lists': [
        'A lone surrogate is stored, and every list after it is answered 500.',
        changing(
          (call, { status }) =>
            isCallOf('listPets', call) &&
            status === 200 &&
            call.inventory.pets.values().some(({ name }) => !name.isWellFormed()),
          (wire) => fail(wire, 500),
        ),
        'listPets/robustness.no-server-error listPets/status.200',
      ],
    },
    { needs: 'more' },
  ),
];
