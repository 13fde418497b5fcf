import { codec, type TypeOf } from '../../../contract/index.ts';

const { oneOf, text, whole } = codec;

const count = whole(0);

/** Why a requirement is not tested: facts that the log and the settings of the run confirm. */
export type Reason = TypeOf<typeof reason>;

export const reason = codec.variants({
  /** An exchange speaks of it and does not settle it. */
  unclear: { exchange: count, text },
  /** The options `only` or `skip` leave it out. */
  'not-selected': {},
  /** Every request that could show it may add items, and the run sends no such request. */
  'read-only': {},
  /** `planned` of `budget` requests were planned when its probe, which needs `needs`, was left out. */
  budget: { budget: count, planned: count, needs: whole(1) },
  /** Its requests were given to the search for smaller counterexamples. */
  'gave-way': {},
  'not-exhausted': {},
  /** The run ended before a probe that would show it, after `sent` requests; `error`: unjudged. */
  'ended-early': {
    end: oneOf(['budget', 'drive', 'wait', 'gone', 'time', 'error']),
    sent: count,
    text,
  },
  /** The user did not say which plan the key has. */
  'plan-not-given': {},
  /** No request could be made for it. */
  'nothing-to-send': { text },
  /** The suite never asks for it. */
  'never-asked': { text },
  /** All was sent as planned. */
  'not-shown': {},
});

/** A reason in words that follow "not tested:". For people, who count requests from 1. */
export function describeReason(why: Reason): string {
  switch (why.kind) {
    case 'unclear':
      return `request ${why.exchange + 1}: ${why.text}`;
    case 'not-selected':
      return 'it was left out (--only, --skip)';
    case 'read-only':
      return 'read-only: it needs a request that may add items';
    case 'budget':
      return `budget: ${why.planned} of ${why.budget} requests are planned for others, and it needs ${why.needs} (--requests)`;
    case 'gave-way':
      return 'its requests went into smaller counterexamples (--shrink)';
    case 'not-exhausted':
      return 'the limit was not to be exhausted (--exhaust)';
    case 'plan-not-given':
      return 'the plan of the key was not given (--plan)';
    case 'not-shown':
      return 'no response of the run shows it';
    case 'ended-early':
    case 'nothing-to-send':
    case 'never-asked':
      return why.text;
  }
}
