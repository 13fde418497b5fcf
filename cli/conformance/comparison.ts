import {
  commonChoices,
  compareReports,
  type Observation,
  type Report,
  type Verdict,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { RunComparison } from '../../mock/index.ts';
import { countOf } from '../../page/view/count.ts';
import { fitColumns, showLine } from '../../report/index.ts';

type Difference = RunComparison['differences'][number];

/**
 * Describes how two reports differ: first what differs in both, then what only one of them shows.
 */
export function describeComparison(contract: Contract, one: Report, other: Report): RunComparison {
  const { compared, ...found } = compareReports(contract, one, other);
  const differences: Difference[] = [];
  const add = (
    kind: Difference['kind'],
    { id, sentence }: Verdict['requirement'],
    ...sides: readonly [one: string, other: string]
  ): void => {
    // Texts from servers may be long.
    const [a, b] = sides.map((text) => fitColumns(showLine(text), 300));
    differences.push({ kind, requirement: id, sentence, one: a ?? '', other: b ?? '' });
  };
  for (const { requirement, verdicts } of found.failures)
    add('verdict', requirement, describeVerdict(verdicts.a), describeVerdict(verdicts.b));
  for (const { requirement, observations } of found.choices)
    add('choice', requirement, listChoices(observations.a), listChoices(observations.b));
  for (const { requirement, member = 'status', shown } of found.responses)
    add('verdict', requirement, `${member} ${shown.a}`, `${member} ${shown.b}`);
  const { length: seen } = differences;
  for (const { requirement, shownBy, reason } of found.oneSided) {
    const missing = `not tested: ${reason}`;
    if (shownBy === 'a') add('untested', requirement, 'shown', missing);
    else add('untested', requirement, missing, 'shown');
  }
  const { requirements, questions } = compared;
  const sentences = [
    `${seen === 0 ? 'No difference' : countOf(seen, 'difference')} in ${countOf(requirements, 'requirement')} and ${countOf(questions, 'open question')} that both runs tested.`,
  ];
  const untested = differences.length - seen;
  if (untested > 0) sentences.push(`${untested} more were tested by only one of the runs.`);
  if (one.contract.digest !== other.contract.digest)
    sentences.push(
      'The runs used different documents; requirements of only one document are not compared.',
    );
  return { sentence: sentences.join(' '), differences };
}

function describeVerdict(verdict: Verdict): string {
  if (verdict.kind === 'not-tested') return `not tested: ${verdict.reason}`;
  if (verdict.kind !== 'failed' && verdict.kind !== 'waived') return verdict.kind;
  return `${verdict.kind}: ${verdict.failures[0]?.received ?? ''}`;
}

function listChoices(observations: readonly Observation[]): string {
  const choices = commonChoices(observations);
  return (choices.length > 0 ? choices : observations.map(({ evidence }) => evidence)).join(', ');
}
