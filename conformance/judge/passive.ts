import { resourceOf } from '../../contract/resource/resource.ts';
import type { Contract } from '../../contract/contract.ts';
import { readOnce } from '../family/read-trace.ts';
import { listRequirements, requirementsOf } from '../family/requirements.ts';
import { judgeBody } from '../family/body.ts';
import { judgeHeader } from '../family/header.ts';
import { listIntentFindings } from '../family/intent.ts';
import { judgeLists } from '../family/parameter.ts';
import { judgeSteps, judgeWindows, listSteps, type Step } from '../family/rate-limit.ts';
import { judgeRobustness } from '../family/robustness.ts';
import { judgeShown } from '../family/state.ts';
import { collectionsOf } from './trace/collection.ts';
import type { Finding } from './trace/finding.ts';
import type { Requirement } from './trace/requirement.ts';
import { successId, type Trace } from './trace/trace.ts';
import { once } from '../../contract/memo/once.ts';
import type { Exchange } from '../transport/exchange.ts';

/**
 * Whether the traffic of arbitrary clients can show a requirement: one request with its response is
 * enough, however many others use the target. Requirements that take items or keys of one's own are
 * left to the suite.
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

/** State that one response can show: no duplicates, members as sent, the requested item. */
function isOwnState(
  subject: Extract<Requirement['subject'], { readonly kind: 'state' }>,
  id: string,
  contract: Contract,
): boolean {
  if (['distinct', 'echo', 'spaces', 'id-kept'].includes(subject.facet)) return true;
  const operation = contract.operations.find((each) => each.id === id);
  const resource = operation && resourceOf(contract.resources, operation);
  return subject.facet === 'read' && resource?.idPlace[0] === subject.member;
}

/**
 * Judges the header fields of one response, for the requirements that `isPassive` accepts. Excuses
 * are left out. Pure.
 */
export function judgeFields(
  contract: Contract,
  exchange: Exchange,
): { readonly findings: readonly Finding[]; readonly steps: readonly Step[] } {
  const trace = readOnce(contract, [exchange]);
  const steps = listSteps(trace);
  const found = [...judgeHeader(trace)];
  // Without its own time, the response cannot be compared with Reset.
  if (exchange.sentAt !== 0) found.push(...judgeSteps(steps));
  return { findings: keepPassive(contract, found), steps };
}

/**
 * The same for status and body. The intent of the exchange decides what is expected.
 * @param isWhole false if the body of the response is missing or cut off
 */
export function judgeContent(
  contract: Contract,
  exchange: Exchange,
  isWhole = true,
): readonly Finding[] {
  const trace = readOnce(contract, [exchange]);
  const found = [...judgeRobustness(trace), ...listIntentFindings(trace)];
  for (const finding of judgeBody(trace))
    if (isWhole || isOfType(finding, contract)) found.push(finding);
  if (isWhole) found.push(...judgeItems(trace));
  return keepPassive(contract, found);
}

function* judgeItems(trace: Trace): Generator<Finding> {
  for (const collection of collectionsOf(trace)) {
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
 * Compares the rate-limit headers of the exchanges of one key, in the order in which they ended.
 * The findings are true whoever else uses the key. Pure.
 */
export function judgeSeries(contract: Contract, steps: readonly Step[]): readonly Finding[] {
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
