import type { Contract } from '../contract/contract.ts';
import {
  assembleReport,
  describeLeftOut,
  explainNothing,
  explainCut,
  explainUnread,
  readShare,
  requiredShare,
  type Report,
  type Waiver,
  watchedRun,
} from '../conformance/index.ts';
import type { TrafficSum } from './judge.ts';

/**
 * The findings in traffic as a report like those of the suite. Inconclusive if nothing was judged,
 * or too few responses could be read. `now`: milliseconds since the Unix epoch, by which waivers
 * expire. The times in recordings are not reliable for that.
 */
export function composeTrafficReport(
  contract: Contract,
  baseUrl: string,
  sum: TrafficSum,
  { waivers = [], now }: { readonly waivers?: readonly Waiver[]; readonly now: number },
): Report {
  const { seen, judged, notes, failures, from, to, exchanges } = sum;
  const leftOut = describeLeftOut(contract);
  return assembleReport(contract, {
    target: { baseUrl, plan: undefined },
    run: watchedRun(seen, from, to),
    traffic: {
      seen,
      judged,
      notes,
      failures: Array.from(failures, ([requirement, count]) => ({ requirement, count })),
    },
    judged: sum.verdicts,
    waivers,
    now,
    explainInconclusive: () =>
      sum.unread ??
      explainCut(contract) ??
      (judged === 0 ? 'no exchange was one of its operations' : explainNothing(sum.verdicts)) ??
      (readShare(contract, leftOut) < requiredShare ? explainUnread(leftOut) : undefined),
    exchanges,
  });
}
