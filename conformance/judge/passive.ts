import type { Contract } from '../../contract/contract.ts';
import { readOnce } from '../family/read-trace.ts';
import { listRequirements, requirementsOf } from '../family/requirements.ts';
import { judgeBody } from '../family/body.ts';
import { judgeHeader } from '../family/header.ts';
import { listIntentFindings } from '../family/intent.ts';
import { judgeLists } from '../family/parameter.ts';
import { judgeSteps, judgeWindows, listSteps } from '../family/rate-limit.ts';
import { judgeRobustness } from '../family/robustness.ts';
import { judgeShown } from '../family/state.ts';
import { readCollections } from './trace/collection.ts';
import type { Finding } from './trace/finding.ts';
import type { Requirement } from './trace/requirement.ts';
import { resourceOf, successId, type Trace } from './trace/trace.ts';
import { once } from '../memo/once.ts';
import type { Exchange } from '../transport/exchange.ts';

/**
 * Whether traffic of any clients can show a requirement: what one response says, with the request
 * that it is to, however many others use the target meanwhile. What takes items or keys of one's
 * own is left to the suite.
 */
export function isPassive({ id, operation, subject }: Requirement, contract: Contract): boolean {
  switch (subject.kind) {
    case 'body':
    case 'header':
    case 'robustness':
      return true;
    case 'status':
      return contract.operations.some((each) => each.id === operation && successId(each) === id);
    case 'request':
      return subject.facet !== 'taken';
    case 'parameter':
      return ['bound', 'default', 'filter'].includes(subject.facet);
    case 'auth':
      return subject.facet === 'missing';
    case 'state':
      return isOwnState(subject, operation, contract);
    case 'rate-limit':
      return !['plan', 'returns'].includes(subject.facet);
    case 'concurrency':
    case 'open':
    case 'client':
      return false;
  }
}

/** What the response to one request says of items: each once, as sent, and the one asked for. */
function isOwnState(
  subject: Extract<Requirement['subject'], { readonly kind: 'state' }>,
  id: string,
  contract: Contract,
): boolean {
  if (['distinct', 'echo', 'spaces', 'id-kept'].includes(subject.facet)) return true;
  const operation = contract.operations.find((each) => each.id === id);
  const resource = operation && resourceOf(contract, operation);
  return subject.facet === 'read' && resource?.idPlace[0] === subject.member;
}

/**
 * Judges one exchange by what it shows alone: findings of what `isPassive` holds. Its intent says
 * what may be expected of the response. What excuses it is left out. Pure.
 *
 * @param isWhole false: the body of the response is not there, or not to its end
 */
export function judgeAlone(
  contract: Contract,
  exchange: Exchange,
  isWhole = true,
): readonly Finding[] {
  const trace = readOnce(contract, [exchange]);
  const found = [...judgeHeader(trace)];
  // Without a time of its own the response cannot be held against that of Reset.
  if (exchange.sentAt !== 0) found.push(...judgeSteps(listSteps(trace)));
  found.push(...judgeRobustness(trace), ...listIntentFindings(trace));
  for (const finding of judgeBody(trace))
    if (isWhole || isOfType(finding, contract)) found.push(finding);
  if (isWhole) found.push(...judgeItems(trace));
  return keepPassive(contract, found);
}

function* judgeItems(trace: Trace): Generator<Finding> {
  for (const reading of trace.readings)
    for (const collection of readCollections(trace, reading)) {
      yield* judgeLists(collection);
      yield* judgeShown(collection);
    }
}

function isOfType(finding: Finding, contract: Contract): boolean {
  const subject =
    finding.kind === 'open'
      ? undefined
      : requirementsOf(contract).get(finding.requirement)?.subject;
  return subject?.kind === 'body' && subject.part === 'content-type';
}

/**
 * Judges exchanges of one key, in the order in which they ended, by what the rate-limit headers of
 * one say of those of another: findings that hold whoever else uses the key. Pure.
 */
export function judgeSeries(
  contract: Contract,
  exchanges: readonly Exchange[],
): readonly Finding[] {
  const steps = listSteps(readOnce(contract, exchanges));
  return keepPassive(contract, [...judgeWindows(steps)]);
}

function keepPassive(contract: Contract, findings: readonly Finding[]): readonly Finding[] {
  const known = passiveIds(contract);
  return findings.filter(
    (finding) =>
      finding.kind !== 'open' && finding.kind !== 'excused' && known.has(finding.requirement),
  );
}

const passiveIds = once(
  (contract: Contract): ReadonlySet<string> =>
    new Set(
      listRequirements(contract).flatMap((requirement) =>
        isPassive(requirement, contract) ? [requirement.id] : [],
      ),
    ),
);
