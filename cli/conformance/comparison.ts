import {
  type Comparison,
  type Observation,
  type Report,
  type Verdict,
  commonChoices,
  compareReports,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { RunComparison } from '../../mock/index.ts';
import { fitColumns, showLine } from '../../report/index.ts';

type Difference = RunComparison['differences'][number];

/** What two reports differ in, in words: what was seen to differ, then what only one tells. */
export function describeComparison(contract: Contract, one: Report, other: Report): RunComparison {
  const comparison = compareReports(contract, one, other);
  const seen = [
    ...comparison.failures.map(({ requirement, verdicts }) =>
      describe('verdict', requirement, describeVerdict(verdicts.a), describeVerdict(verdicts.b)),
    ),
    ...comparison.choices.map(({ requirement, observations }) =>
      describe('choice', requirement, listChoices(observations.a), listChoices(observations.b)),
    ),
    ...comparison.responses.map(({ requirement, member, shown }) => {
      const what = member === undefined ? 'status' : member;
      return describe('verdict', requirement, `${what} ${shown.a}`, `${what} ${shown.b}`);
    }),
  ];
  const untold = comparison.oneSided.map(({ requirement, shownBy, reason }) => {
    const [shown, missing] = ['shown', `not tested: ${reason}`];
    const [a, b] = shownBy === 'a' ? [shown, missing] : [missing, shown];
    return describe('untested', requirement, a, b);
  });
  for (const { requirement } of listMissing(one, other))
    untold.push(describe('untested', requirement, 'in the report', notThere));
  for (const { requirement } of listMissing(other, one))
    untold.push(describe('untested', requirement, notThere, 'in the report'));
  return {
    sentence: sumUp(comparison, seen.length, untold.length),
    differences: [...seen, ...untold],
  };
}

const notThere = 'not in the report: it was judged by another document';

function sumUp({ reports, compared }: Comparison, seen: number, untold: number): string {
  const { a, b } = reports;
  const differ = seen === 0 ? 'Nothing was seen to differ' : `${seen} were seen to differ`;
  const sentences = [
    `${differ}, of ${compared.requirements} requirements and ${compared.questions} open questions that both runs show.`,
    ...(untold === 0 ? [] : [`${untold} more are shown by one of them only.`]),
    ...(a.contract.digest === b.contract.digest
      ? []
      : ['They were not judged by the same document.']),
  ];
  return sentences.join(' ');
}

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
  const [failure] = verdict.failures;
  return `${verdict.kind}: ${failure?.received ?? ''}`;
}

function listChoices(observations: readonly Observation[]): string {
  const choices = commonChoices(observations);
  return (choices.length > 0 ? choices : observations.map(({ evidence }) => evidence)).join(', ');
}

/** Verdicts on requirements of which another report knows nothing. */
function listMissing(report: Report, other: Report): readonly Verdict[] {
  const known = new Set(other.verdicts.map(({ requirement }) => requirement.id));
  return report.verdicts.filter(({ requirement }) => !known.has(requirement.id));
}

/** Texts of targets may be long. */
function excerpt(text: string): string {
  return fitColumns(showLine(text), 300);
}
