import {
  commonChoices,
  compareReports,
  type Observation,
  type Report,
  type Verdict,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { RunComparison } from '../../mock/index.ts';
import { fitColumns, showLine } from '../../report/index.ts';

type Difference = RunComparison['differences'][number];

/** How two reports differ, in words: what differs in both, then what only one of them shows. */
export function describeComparison(contract: Contract, one: Report, other: Report): RunComparison {
  const comparison = compareReports(contract, one, other);
  const seen: Difference[] = [];
  for (const { requirement, verdicts } of comparison.failures)
    seen.push(
      describe('verdict', requirement, describeVerdict(verdicts.a), describeVerdict(verdicts.b)),
    );
  for (const { requirement, observations } of comparison.choices)
    seen.push(
      describe('choice', requirement, listChoices(observations.a), listChoices(observations.b)),
    );
  for (const { requirement, member = 'status', shown } of comparison.responses)
    seen.push(describe('verdict', requirement, `${member} ${shown.a}`, `${member} ${shown.b}`));
  const untested: Difference[] = [];
  for (const { requirement, shownBy, reason } of comparison.oneSided) {
    const missing = `not tested: ${reason}`;
    untested.push(
      shownBy === 'a'
        ? describe('untested', requirement, 'shown', missing)
        : describe('untested', requirement, missing, 'shown'),
    );
  }
  for (const requirement of listMissing(one, other))
    untested.push(describe('untested', requirement, 'in the report', notThere));
  for (const requirement of listMissing(other, one))
    untested.push(describe('untested', requirement, notThere, 'in the report'));
  const { requirements, questions } = comparison.compared;
  const sentences = [
    `${seen.length === 0 ? 'Nothing was' : `${seen.length} were`} seen to differ, of ${requirements} requirements and ${questions} open questions that both runs show.`,
  ];
  if (untested.length > 0) sentences.push(`${untested.length} more are shown by one of them only.`);
  if (one.contract.digest !== other.contract.digest)
    sentences.push('They were not judged by the same document.');
  return { sentence: sentences.join(' '), differences: [...seen, ...untested] };
}

const notThere = 'not in the report: it was judged by another document';

function describe(
  kind: Difference['kind'],
  { id, sentence }: Verdict['requirement'],
  one: string,
  other: string,
): Difference {
  return { kind, requirement: id, sentence, one: excerpt(one), other: excerpt(other) };
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

/** Requirements of a report that are unknown to another. */
function listMissing(report: Report, other: Report): readonly Verdict['requirement'][] {
  const known = new Set(other.verdicts.map(({ requirement }) => requirement.id));
  return report.verdicts.map(({ requirement }) => requirement).filter(({ id }) => !known.has(id));
}

/** Texts of targets may be long. */
function excerpt(text: string): string {
  return fitColumns(showLine(text), 300);
}
