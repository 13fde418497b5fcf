import * as codec from '../../../contract/json/codec.ts';
import type { TypeOf } from '../../../contract/json/codec.ts';
import { largest, smallest } from '../../../contract/list/list.ts';
import { once } from '../../../contract/memo/once.ts';
import { nameShards } from '../../shard/shard.ts';

const { list, object, oneOf, optional, text, whole } = codec;

const count = whole(0);

const kinds = {
  /** An exchange does not decide the requirement. `requirement`: what fails instead, if any. */
  unclear: { exchange: count, text, requirement: optional(text) },
  'not-selected': {},
  /** Only requests that may add items could show it, and the run sends none. */
  'read-only': {},
  /** `planned` of `budget` requests were planned when its probe, which needs `needs`, was left out. */
  budget: { budget: count, planned: count, needs: whole(1) },
  'not-exhausted': {},
  /** The run ended before a probe that would show it, after `sent` requests; `error`: unjudged. */
  'ended-early': {
    end: oneOf(['budget', 'drive', 'wait', 'gone', 'time', 'error']),
    sent: count,
    text,
  },
  'plan-not-given': {},
  'nothing-to-send': { text },
  'never-asked': { text },
  'not-shown': {},
} as const;

const runReason = codec.variants(kinds);

/** Why a requirement is not tested: facts that the log and settings of the run confirm. */
export type Reason = TypeOf<typeof reason>;

export const reason = codec.variants({
  ...kinds,
  /**
   * In a merged report: the shards have different reasons, or one reason with different numbers.
   */
  'by-shard': { reasons: list(object({ shards: list(whole(1)), because: runReason })) },
});

/** Combines the reasons of shards. A reason that all of them share is given without numbers. */
export function mergeReasons(
  given: readonly { readonly shard: number; readonly because: Reason }[],
): Reason {
  const reasons = [
    ...Map.groupBy(given, ({ because }) => JSON.stringify(because)).values(),
  ].flatMap((alike) => {
    const [first] = alike;
    return first === undefined || first.because.kind === 'by-shard'
      ? []
      : [{ shards: alike.map(({ shard }) => shard), because: first.because }];
  });
  const [first = { because: { kind: 'not-shown' as const } }, ...others] = reasons;
  const hasNumbers = first.because.kind === 'budget' || first.because.kind === 'ended-early';
  return others.length > 0 || hasNumbers ? { kind: 'by-shard', reasons } : first.because;
}

/** A reason in words that follow "not tested:". Requests are numbered from 1. */
export const describeReason = once((why: Reason): string => {
  switch (why.kind) {
    case 'unclear':
      return `request ${why.exchange + 1}: ${why.text}`;
    case 'not-selected':
      return 'left out by --only or --skip';
    case 'read-only':
      return 'read-only run: testing it may add items';
    case 'budget':
      return describeBudget([why]);
    case 'not-exhausted':
      return 'the rate limit was not exhausted (--exhaust)';
    case 'plan-not-given':
      return 'the plan of the key was not given (--plan)';
    case 'not-shown':
      return 'no response in this run shows it';
    case 'ended-early':
    case 'nothing-to-send':
    case 'never-asked':
      return why.text;
    case 'by-shard':
      return why.reasons
        .map(({ shards, because }) => `${nameShards(shards)}: ${describeReason(because)}`)
        .join('; ');
  }
});

/** Describes in one text everything that the budget of a run had no room for. */
export function describeBudget(
  reasons: readonly Extract<Reason, { readonly kind: 'budget' }>[],
): string {
  const planned = rangeOf(reasons.map((why) => why.planned));
  const needs = rangeOf(reasons.map((why) => why.needs));
  const each = reasons.length === 1 ? 'it' : 'each';
  return `budget: ${planned} of ${reasons[0]?.budget} requests are planned for other requirements, and ${each} needs ${needs} (--requests)`;
}

/** `3`, or `3 to 8`. */
function rangeOf(counts: readonly number[]): string {
  const [least, most] = [smallest(counts), largest(counts, 0)];
  return least === most ? `${least}` : `${least} to ${most}`;
}
