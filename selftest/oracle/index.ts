import type { RunReport } from '../../conformance/index.ts';
import type { Contract, Requirement } from '../../contract/index.ts';
import { contradictLimit } from './limit.ts';
import { contradictAcceptance, contradictRequests } from './request.ts';
import { type Contradiction, contradictResponses } from './response.ts';
import { contradictSequences } from './sequence.ts';
import { showExchanges } from './shown.ts';

/**
 * A second, slow and naive judge: it reads a log and the document, knows no plan, no intent and no
 * excuse, shares no code with the judge of the suite, and lists every contradiction.
 */
export function findContradictions(
  contract: Contract,
  exchanges: RunReport['exchanges'],
): readonly Contradiction[] {
  const all = showExchanges(contract, exchanges);
  return [
    ...contradictResponses(contract, all),
    ...contradictRequests(contract, all),
    ...contradictAcceptance(all),
    ...contradictSequences(contract, all),
    ...contradictLimit(contract, all),
  ];
}

/** What is looked at of a verdict. */
interface Judged {
  readonly requirement: Pick<Requirement, 'id' | 'operation' | 'family'>;
  readonly kind: string;
  /** Of one that is passed. */
  readonly exchanges?: readonly number[];
  /** Of one that is not tested. */
  readonly reason?: string;
}

/**
 * The verdicts that their log contradicts, each in a sentence: passed though an exchange shows the
 * contrary, passed by an exchange of another operation, or not tested without a word of what was seen.
 */
export function findUnfounded(
  contract: Contract,
  exchanges: RunReport['exchanges'],
  verdicts: readonly Judged[],
): readonly string[] {
  const contradictions = Map.groupBy(findContradictions(contract, exchanges), ([id]) => id);
  return verdicts.flatMap((verdict) => {
    const { requirement, kind, reason = '' } = verdict;
    const [first] = contradictions.get(requirement.id) ?? [];
    const isTold = /^request \d+: /.test(reason) || reason.includes('left out');
    const isAgainst = kind === 'passed' || (kind === 'not-tested' && !isTold);
    if (first !== undefined && isAgainst)
      return [`${requirement.id} ${kind} against exchange ${first[1]}: ${first[2]}`];
    const strange = findStrange(verdict, exchanges);
    return strange === undefined
      ? []
      : [`${requirement.id} passed by exchange ${strange}, which is no proof of it`];
  });
}

/** An exchange that is named as a proof and is not there, or is of another operation. */
function findStrange(
  { requirement: { operation, family }, exchanges: proofs = [] }: Judged,
  exchanges: RunReport['exchanges'],
): number | undefined {
  const isAny = operation === '*' || family === 'state' || family === 'concurrency';
  return proofs.find((index) => {
    const sender = exchanges[index]?.request.operation;
    return isAny ? sender === undefined : sender !== operation;
  });
}
