import type { Contract } from '../../contract/index.ts';
import {
  type Exchange,
  type Report,
  type Verdict,
  nameShards,
  once,
} from '../../conformance/index.ts';
import type { Cause } from './cause.ts';
import { explainAlteredValues } from './explanation/altered-value.ts';
import { explainBodies } from './explanation/body.ts';
import { explainConcurrentRequests } from './explanation/concurrent.ts';
import { explainBrokenByItem, explainCrashes } from './explanation/crash.ts';
import { explainCredentials } from './explanation/credential.ts';
import type { Claim, Explanation } from './claim/claim.ts';
import {
  explainConstantResponses,
  explainConstantStatuses,
  explainFixedResponses,
} from './explanation/fixed-response.ts';
import { explainForeignResponses } from './explanation/foreign-response.ts';
import { explainRoundedIdentifiers, explainSharedIdentifiers } from './explanation/identifier.ts';
import { explainLists } from './explanation/list.ts';
import { explainMissingHeaders, explainUnknownHeaders } from './explanation/missing-header.ts';
import { explainOtherItems } from './explanation/other-item.ts';
import { explainQuotaHeaders, explainUnheldLimit } from './explanation/quota-header.ts';
import { explainRest } from './explanation/requirement.ts';
import { explainStatuses } from './explanation/status.ts';
import { readLog } from './log/reading.ts';
import { readSymptoms } from './log/symptom.ts';
import { composeCause, sortCauses } from './order.ts';

/** The deepest first: each explains what those before it have left. */
const explanations: readonly Explanation[] = [
  explainConstantResponses,
  explainConstantStatuses,
  explainUnknownHeaders,
  explainBrokenByItem,
  explainCrashes,
  explainForeignResponses,
  explainMissingHeaders,
  explainUnheldLimit,
  explainQuotaHeaders,
  explainFixedResponses,
  explainRoundedIdentifiers,
  explainSharedIdentifiers,
  explainConcurrentRequests,
  explainOtherItems,
  explainAlteredValues,
  explainLists,
  explainCredentials,
  explainStatuses,
  explainBodies,
  explainRest,
];

/**
 * The causes of the failures of a report; in one that was merged, over the logs of all shards. Pure;
 * each file of a report asks for them, and they are found once.
 */
export function causesIn(report: Report, contract: Contract): readonly Cause[] {
  return causesBy(contract)(report);
}

const causesBy = once((contract: Contract) => once((report: Report) => find(report, contract)));

function find({ merge, verdicts, exchanges }: Report, contract: Contract): readonly Cause[] {
  if (merge === undefined) return causesOf(contract, verdicts, exchanges);
  const shards = merge.shards.filter(({ requests }) => requests > 0);
  const starts = shards.map(({ from }) => from);
  return causesOf(contract, verdicts, exchanges, starts).map((cause) => {
    const seen = shards.filter(({ from, requests }) =>
      cause.exchanges.some((index) => index >= from && index < from + requests),
    );
    const names = nameShards(seen.map(({ index }) => index));
    return { ...cause, sentence: `${cause.sentence} Seen in ${names}.` };
  });
}

/**
 * Groups the failures of verdicts by their causes, at both levels, `must` and `should`; waived ones
 * are left out. Each failure is in one cause. Crashes come first, then what writing operations do
 * wrong, then the rest, each in the contract's order. Pure.
 *
 * @param starts as for `readLog`
 */
export function causesOf(
  contract: Contract,
  verdicts: readonly Verdict[],
  exchanges: readonly Exchange[],
  starts: readonly number[] = [],
): readonly Cause[] {
  const log = readLog(contract, exchanges, starts);
  const symptoms = readSymptoms(verdicts, log);
  let left = symptoms;
  const claims: Claim[] = [];
  for (const explain of explanationsFor(verdicts)) {
    const found = explain(left, log);
    for (const claim of found) claims.push(claim);
    const claimed = new Set(found.flatMap((each) => each.symptoms));
    left = left.filter((symptom) => !claimed.has(symptom));
  }
  return sortCauses(
    claims.map((claim) => composeCause(claim, symptoms, log)),
    contract,
  );
}

/** What a client does wrong is explained by its rule alone. */
function explanationsFor(verdicts: readonly Verdict[]): readonly Explanation[] {
  const isClient = verdicts.some(({ requirement }) => requirement.subject.kind === 'client');
  return isClient ? [explainRest] : explanations;
}
