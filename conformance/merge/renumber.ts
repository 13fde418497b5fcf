import type { Exchange } from '../transport/exchange.ts';
import type { Mismatch } from '../judge/trace/finding.ts';
import type { Failure, Verdict } from '../judge/verdict.ts';

/** Exchanges as they stand in a longer log, after so many others. */
export function renumberExchanges(
  exchanges: readonly Exchange[],
  from: number,
): readonly Exchange[] {
  return exchanges.map((exchange) => ({
    ...exchange,
    index: exchange.index + from,
    ...(exchange.group === undefined ? {} : { group: `${from} ${exchange.group}` }),
  }));
}

/** A verdict on exchanges that stand in a longer log, after so many others. */
export function renumberVerdict(verdict: Verdict, from: number): Verdict {
  switch (verdict.kind) {
    case 'passed':
      return { ...verdict, exchanges: verdict.exchanges.map((index) => index + from) };
    case 'failed':
    case 'waived':
      return { ...verdict, failures: verdict.failures.map((each) => renumberFailure(each, from)) };
    case 'open':
      return {
        ...verdict,
        observations: verdict.observations.map((each) => ({
          ...each,
          exchange: each.exchange + from,
        })),
      };
    case 'not-tested':
      return verdict;
  }
}

function renumberFailure(failure: Failure, from: number): Failure {
  const { shrunkFrom } = failure;
  return {
    ...failure,
    ...renumberMismatch(failure, from),
    ...(shrunkFrom === undefined
      ? {}
      : { shrunkFrom: { ...shrunkFrom, ...renumberMismatch(shrunkFrom, from) } }),
  };
}

function renumberMismatch(
  { exchange, others }: Mismatch,
  from: number,
): Pick<Mismatch, 'exchange' | 'others'> {
  return { exchange: exchange + from, others: others.map((index) => index + from) };
}
