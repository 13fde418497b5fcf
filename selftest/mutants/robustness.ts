import {
  isRecord,
  type Call,
  type WireResponse,
  isRefusal,
  type Parts,
  plain,
} from '../service/service.ts';
import { isCallOf, type Mutant, createMutants } from '../subject/subject.ts';

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
  const value = body.length === 0 ? null : (plain.parseBody(body) ?? null);
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
    'cut-many': changing(
      (call, { bytes }) =>
        isCallOf('listPets', call) && new TextDecoder().decode(bytes).split('"id"').length > 16,
      deliver('cut'),
    ),
    'hang-no-body': [
      changing(({ method, body }) => method === 'POST' && body.length === 0, deliver('hang')),
      'createPet/robustness.answered',
      { hangs: true },
    ],
  }),
  ...createMutants('getPet/robustness.no-server-error', {
    '500-letters': failingTo(/\/abc$/),
    '500-malformed': [
      changing(
        ({ body }) => body.length > 0 && isRefusal(plain.parseBody(body)),
        (wire) => fail(wire, 500),
      ),
      'createPet/robustness.no-server-error',
    ],
    '500-client-id': [
      changing(
        ({ method, body }) => method === 'POST' && new TextDecoder().decode(body).includes('"id":'),
        (wire) => fail(wire, 500),
      ),
      'createPet/robustness.no-server-error',
    ],
    '503-beyond-then-ban': [banningAfterOverload, 'listPets/robustness.no-server-error'],
  }),
  ...createMutants(
    'getPet/robustness.no-server-error',
    {
      '500-beyond-int64': failingTo(/\/9223372036854775808$/),
      'reset-name-object': [
        changing(hasNameObject, deliver('reset')),
        'createPet/robustness.answered',
      ],
      'surrogate-breaks-lists': [
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
