import type { RunReport } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { contradictRequests } from './request.ts';
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
    ...contradictSequences(contract, all),
  ];
}

/** Verdicts that do not stand: passed against the log, or by an exchange of another operation. */
export function findUnfounded(
  contract: Contract,
  { verdicts, exchanges }: Pick<RunReport, 'verdicts' | 'exchanges'>,
): readonly string[] {
  const contradictions = Map.groupBy(findContradictions(contract, exchanges), ([id]) => id);
  return verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'passed') return [];
    const { id, operation, family } = verdict.requirement;
    const [first] = contradictions.get(id) ?? [];
    if (first !== undefined) return [`${id} passed against exchange ${first[1]}: ${first[2]}`];
    const strange = verdict.exchanges.find((index) => {
      const sender = exchanges[index]?.request.operation;
      const isAny = operation === '*' || family === 'state' || family === 'concurrency';
      return isAny ? sender === undefined : sender !== operation;
    });
    return strange === undefined ? [] : [`${id} passed by exchange ${strange}, which is another's`];
  });
}
