import type { Contract } from '../../contract/index.ts';
import type { Exchange, Verdict } from '../../conformance/index.ts';
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
import { outcomeOf, readingsOf, readSymptoms } from './log/symptom.ts';
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
 * Groups the failures of verdicts by their causes, at both levels, `must` and `should`; waived ones
 * are left out. Each failure is in one cause. Crashes come first, then what writing operations do
 * wrong, then the rest, each in the contract's order. Pure.
 */
export function causesOf(
  contract: Contract,
  verdicts: readonly Verdict[],
  exchanges: readonly Exchange[],
): readonly Cause[] {
  const log = readLog(contract, exchanges);
  const symptoms = readSymptoms(verdicts, log);
  let left = symptoms;
  const claims: Claim[] = [];
  for (const explain of explanationsFor(verdicts)) {
    const found = explain(left, log);
    for (const claim of found) addClaim(claims, claim);
    const claimed = new Set(found.flatMap((each) => each.symptoms));
    left = left.filter((symptom) => !claimed.has(symptom));
  }
  return sortCauses(
    claims.map((claim) => composeCause(claim, symptoms, log)),
    contract,
  );
}

/** A body that is wrong only in responses that had to be refusals is an effect of their being served. */
function addClaim(claims: Claim[], claim: Claim): void {
  const readings = readingsOf(claim.symptoms);
  const isServed = readings.every((reading) => outcomeOf(reading).kind === 'served');
  const operations = new Set(readings.map(({ operation }) => operation));
  const host = claims.findIndex(
    ({ outcome, symptoms }) =>
      claim.kind === 'body' &&
      isServed &&
      outcome.kind === 'served' &&
      operations.isSubsetOf(new Set(symptoms.map(({ reading }) => reading.operation))),
  );
  const served = claims[host];
  if (served === undefined) {
    claims.push(claim);
    return;
  }
  claims[host] = {
    ...served,
    symptoms: [...served.symptoms, ...claim.symptoms],
    leads: served.leads ?? ((symptom) => served.symptoms.includes(symptom)),
  };
}

/** What a client does wrong is explained by its rule alone. */
function explanationsFor(verdicts: readonly Verdict[]): readonly Explanation[] {
  const isClient = verdicts.some(({ requirement }) => requirement.subject.kind === 'client');
  return isClient ? [explainRest] : explanations;
}
