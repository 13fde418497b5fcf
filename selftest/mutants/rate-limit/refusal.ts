import {
  type WireResponse,
  type Call,
  type ServiceResponse,
  type ServiceBehaviour,
  createRefusal,
} from '../../service/behaviour.ts';
import { everyOperation, isCallOf } from '../../subject/place.ts';
import { count } from '../../service/limiter.ts';
import { refuse } from '../../service/operations.ts';
import { type Mutant, createMutant } from '../../subject/mutant.ts';

const exceeded = '*/rate-limit.exceeded';
const unanswered = everyOperation('robustness.answered');

type Rows = Readonly<Record<string, readonly [string, Mutant['behaviour'], (readonly string[])?]>>;

/** Mutants of the response over the limit, which only a drive to the limit shows. */
function excess(rows: Rows): readonly Mutant[] {
  return Object.entries(rows).map(([id, [summary, behaviour, further = []]]) => ({
    ...createMutant(`rate-limit-${id}`, [exceeded, ...further], summary, behaviour),
    needs: 'exhaust',
  }));
}

/** Lets some requests over the limit through. */
function letThrough(isServed: (call: Call) => boolean): Mutant['behaviour'] {
  return () => ({
    count: (call, all) => {
      const quota = count(call, all);
      return quota.allowed || !isServed(call) ? quota : { ...quota, allowed: true };
    },
  });
}

/** Keeps one limit and tells another. */
function keepLimit(saved: (told: number) => number): Mutant['behaviour'] {
  const told = 60;
  return () => ({
    windows: (key) => [{ seconds: 60, limit: key === undefined ? 1_000 : saved(told) }],
    tellQuota: (quota, _status, { key }) =>
      key === undefined
        ? quota
        : { ...quota, limit: told, remaining: Math.max(0, quota.remaining + told - saved(told)) },
  });
}

function refuseWith(
  response: (call: Call, all: ServiceBehaviour) => ServiceResponse,
): Mutant['behaviour'] {
  return () => ({
    refuseExcess: (quota, call, all) => {
      const { headers, ...rest } = response(call, all);
      return { ...rest, headers: { ...headers, 'Retry-After': all.retryAfter(quota, call) } };
    },
  });
}

function refuseWithStatus(status: number, code: string, reason: string): Mutant['behaviour'] {
  return refuseWith((call, all) => refuse(createRefusal(status, code, reason), call, all));
}

function deliverExcess(delivery: WireResponse['delivery']): Mutant['behaviour'] {
  return () => ({
    finish: (wireResponse) =>
      wireResponse.status === 429 ? { ...wireResponse, delivery } : wireResponse,
  });
}

/** What comes over the limit, and when. */
export const rateLimitRefusalMutants: readonly Mutant[] = [
  ...excess({
    'never-refused': [
      'Requests are counted and the headers told, but nothing is ever refused.',
      letThrough(() => true),
    ],
    'one-too-late': [
      'The 61st request is still served: the comparison is `>` for `>=`.',
      keepLimit((told) => told + 1),
    ],
    'twice-as-late': [
      'Twice as many requests are served as are told, since each of two nodes lets 60 through.',
      keepLimit((told) => 2 * told),
    ],
    'ten-too-early': [
      '429 comes after 50 requests, while Remaining still says 10.',
      keepLimit((told) => told - 10),
    ],
    'one-too-early': [
      '429 comes instead of the 60th answer, while Remaining still says 1.',
      keepLimit((told) => told - 1),
    ],
    'nothing-left-too-early': [
      'Remaining is 0 from the 50th request on, though ten more are served.',
      () => ({
        tellQuota: (quota) => ({ ...quota, remaining: Math.max(0, quota.remaining - 10) }),
      }),
    ],
    'lists-never-refused': [
      'The limiter guards only requests that write; lists are served over the limit.',
      letThrough((call) => isCallOf('listPets', call)),
    ],
    'additions-never-refused': [
      'The limiter guards only GET; pets are added over the limit.',
      letThrough((call) => isCallOf('createPet', call)),
    ],
    'deprecated-never-refused': [
      'The deprecated operation hangs on an older router without the limiter.',
      letThrough((call) => isCallOf('getPet', call)),
    ],
    'refused-with-500': [
      'The exception of the limiter is caught by nobody: 500.',
      refuseWithStatus(500, 'internal_error', 'Limit exceeded.'),
    ],
    'refused-with-503': [
      'The proxy in front answers 503 over the limit.',
      refuseWithStatus(503, 'unavailable', 'Try again later.'),
    ],
    'refused-with-403': [
      'The quota is part of the permissions: 403 over the limit.',
      refuseWithStatus(403, 'quota_exceeded', 'The quota is used up.'),
    ],
    'refused-with-400': [
      'Every exception of the limiter becomes a 400.',
      refuseWithStatus(400, 'rate_limited', 'Too many requests.'),
    ],
    'refused-with-401': [
      'A key over its limit counts as invalid: 401.',
      refuseWithStatus(401, 'unauthorized', 'The key is over its limit.'),
    ],
    'refused-with-200': [
      'The gateway answers an Error with 200 over the limit.',
      refuseWith((call, all) => ({
        ...refuse(createRefusal(429, 'too_many_requests', 'Too many requests.'), call, all),
        status: 200,
      })),
      [
        'listPets/response.200.body.type',
        'createPet/status.201',
        'getPet/response.200.body.id.required',
        'getPet/response.200.body.name.required',
        'getPet/response.200.body.categoryId.required',
        'getPet/response.200.body.status.type',
      ],
    ],
    'refused-by-reset': [
      'The firewall resets the connection over the limit.',
      deliverExcess('reset'),
      unanswered,
    ],
  }),
  ...excess({
    'refused-by-silence': [
      'The firewall drops what is over the limit: no response comes.',
      deliverExcess('hang'),
      unanswered,
    ],
  }).map((mutant): Mutant => ({ ...mutant, hangs: true })),
];
