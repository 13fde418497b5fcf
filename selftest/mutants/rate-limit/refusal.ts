import {
  type Call,
  type Parts,
  type WireResponse,
  createRefusal,
} from '../../service/behaviour.ts';
import { everyOperation, fallen, fetched, isCallOf, requiredAt } from '../../subject/place.ts';
import { count } from '../../service/limiter.ts';
import { refuse } from '../../service/operations.ts';
import { type Mutant, createMutants, needing } from '../../subject/mutant.ts';
import { tellOtherwise } from './quota-header.ts';

const exceeded = '*/rate-limit.exceeded';
const unanswered = everyOperation('robustness.answered');

/** Lets some requests over the limit through. */
function letThrough(isServed: (call: Call) => boolean): Parts {
  return {
    count: (call, all) => {
      const quota = count(call, all);
      return quota.allowed || !isServed(call) ? quota : { ...quota, allowed: true };
    },
  };
}

/** Keeps one limit and tells another. */
function keepLimit(saved: (told: number) => number): Parts {
  const told = 60;
  return {
    windows: (key) => [{ seconds: 60, limit: key === undefined ? 1_000 : saved(told) }],
    tellQuota: (quota, _status, { key }) =>
      key === undefined
        ? quota
        : { ...quota, limit: told, remaining: Math.max(0, quota.remaining + told - saved(told)) },
  };
}

/** Refuses in another way; the status may be another than that of the error in the body. */
function refuseWith(answered: number, code: string, reason: string, told = answered): Parts {
  return {
    refuseExcess: (quota, call, all) => ({
      ...refuse(createRefusal(told, code, reason), call, all, {
        'Retry-After': all.retryAfter(quota, call),
      }),
      status: answered,
    }),
  };
}

function deliverExcess(delivery: WireResponse['delivery']): Parts {
  return {
    finish: (wireResponse) =>
      wireResponse.status === 429 ? { ...wireResponse, delivery } : wireResponse,
  };
}

/** What comes over the limit, and when. */
export const rateLimitRefusalMutants = needing('exhaust', [
  ...createMutants([exceeded], {
    'rate-limit-never-refused': [
      'Requests are counted and the headers told, but nothing is ever refused.',
      letThrough(() => true),
    ],
    'rate-limit-one-too-late': [
      'The 61st request is still served: the comparison is `>` for `>=`.',
      keepLimit((told) => told + 1),
    ],
    'rate-limit-ten-too-early': [
      '429 comes after 50 requests, while Remaining still says 10.',
      keepLimit((told) => told - 10),
    ],
    'rate-limit-one-too-early': [
      '429 comes instead of the 60th answer, while Remaining still says 1.',
      keepLimit((told) => told - 1),
    ],
    'rate-limit-nothing-left-too-early': [
      'Remaining is 0 from the 50th request on, though ten more are served.',
      tellOtherwise(({ remaining }) => ({ remaining: Math.max(0, remaining - 10) })),
    ],
    'rate-limit-lists-never-refused': [
      'The limiter guards only requests that write; lists are served over the limit.',
      letThrough((call) => isCallOf('listPets', call)),
    ],
    'rate-limit-deprecated-never-refused': [
      'The deprecated operation hangs on an older router without the limiter.',
      letThrough((call) => isCallOf('getPet', call)),
    ],
    'rate-limit-refused-with-503': [
      'The proxy in front answers 503 over the limit.',
      refuseWith(503, 'unavailable', 'Try again later.'),
      [exceeded, ...Object.values(fallen)],
    ],
    'rate-limit-refused-with-403': [
      'The quota is part of the permissions: 403 over the limit.',
      refuseWith(403, 'quota_exceeded', 'The quota is used up.'),
    ],
    'rate-limit-refused-with-200': [
      'The gateway answers an Error with 200 over the limit.',
      refuseWith(200, 'too_many_requests', 'Too many requests.', 429),
      [
        exceeded,
        'listPets/response.200.body.type',
        'createPet/status.201',
        ...requiredAt(fetched),
        'getPet/response.200.body.status.type',
      ],
    ],
    'rate-limit-refused-by-reset': [
      'The firewall resets the connection over the limit.',
      deliverExcess('reset'),
      [exceeded, ...unanswered],
    ],
  }),
  ...createMutants([exceeded, ...unanswered], {
    'rate-limit-refused-by-silence': [
      'The firewall drops what is over the limit: no response comes.',
      deliverExcess('hang'),
    ],
  }).map((mutant): Mutant => ({ ...mutant, hangs: true })),
]);
