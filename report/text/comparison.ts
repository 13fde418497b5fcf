import type { Contract } from '../../contract/index.ts';
import type {
  ChoiceDifference,
  Comparison,
  Sides,
  FailureDifference,
  Report,
  Verdict,
} from '../../conformance/index.ts';
import { fitColumns, wrapWords } from './columns.ts';
import { countOf } from '../../view/count.ts';
import { groupByChoice } from '../model/question.ts';
import { viewFailure } from '../model/failure.ts';
import { joinSections, plainLayout, renderSection, type TextLayout } from './layout.ts';
import { label, renderRequirement, renderProof } from './failure.ts';
import { showLine } from '../../view/visible.ts';

const sides = ['a', 'b'] as const;

const names: Sides<string> = { a: 'A', b: 'B' };

/** What differs and the sum of it only. Default layout: 100 columns without colour. */
export function renderBriefComparison(
  comparison: Comparison,
  contract: Contract,
  layout = plainLayout,
): string {
  const differences = renderDifferences(comparison, contract, layout);
  return joinSections([...differences, renderSum(comparison, layout)]);
}

/** Each difference, what one side alone showed in one line, and the sum. */
export function renderComparison(
  comparison: Comparison,
  contract: Contract,
  layout: TextLayout = plainLayout,
): string {
  return joinSections([
    ...renderDifferences(comparison, contract, layout),
    renderOneSided(comparison, layout),
    renderSum(comparison, layout),
  ]);
}

function renderDifferences(
  comparison: Comparison,
  contract: Contract,
  layout: TextLayout,
): readonly string[] {
  return [
    ...comparison.failures.map((each) => renderFailure(each, comparison.reports, contract, layout)),
    renderChoices(comparison, contract, layout),
  ];
}

function renderFailure(
  { requirement, verdicts }: FailureDifference,
  reports: Sides<Report>,
  contract: Contract,
  layout: TextLayout,
): string {
  const failures = sides.flatMap((side) =>
    viewFailure(verdicts[side], reports[side], contract).map((failure) => ({ side, failure })),
  );
  const [first] = failures;
  if (!first) return '';
  const advice = requirement.level === 'should' ? ' (ADVICE)' : '';
  const headline =
    failures.length > 1 ? 'BOTH FAIL, DIFFERENTLY' : `ONLY ${names[first.side]} FAILS`;
  const others = sides.filter((side) => !failures.some((each) => each.side === side));
  return [
    ...renderRequirement(
      failures.length > 1 ? { ...first.failure, more: 0 } : first.failure,
      `${headline}${advice}`,
      layout,
    ),
    ...failures.flatMap(({ side, failure }) => [
      ...(failures.length > 1
        ? [label(`on ${names[side]}`, layout.paint.quiet(reports[side].target.baseUrl), layout)]
        : []),
      ...renderProof(failure, layout),
    ]),
    ...others.map((side) =>
      labelFitted(`on ${names[side]}`, describeOther(verdicts[side]), layout),
    ),
  ].join('\n');
}

/** A labelled line, cut where the terminal ends. */
function labelFitted(name: string, text: string, layout: TextLayout): string {
  return label(name, fitColumns(text, layout.width - 13), layout);
}

function describeOther(verdict: Verdict): string {
  return verdict.kind === 'not-tested' ? `not tested: ${verdict.reason}` : 'passed';
}

function renderChoices({ choices }: Comparison, contract: Contract, layout: TextLayout): string {
  const lines = choices.map((each) => renderChoice(each, contract, layout));
  return renderSection('Left open by the contract, and chosen otherwise', lines, layout);
}

function renderChoice(
  { question: id, observations }: ChoiceDifference,
  contract: Contract,
  layout: TextLayout,
): string {
  const question = contract.openQuestions.find((each) => each.id === id);
  const lines = sides.flatMap((side) =>
    groupByChoice(observations[side], question).map((chosen, index) => {
      const text = `${chosen.id}: ${chosen.evidence[0]?.evidence ?? ''}`;
      return labelFitted(index === 0 ? `  ${names[side]}` : '', text, layout);
    }),
  );
  return [
    ...wrapWords(`${id}: ${question?.question ?? ''}`, layout.width - 4).map((line, index) =>
      index === 0 ? `  ${line}` : `    ${line}`,
    ),
    ...lines,
  ].join('\n');
}

/** One line: what only one side showed is no difference of behaviour. */
function renderOneSided({ oneSided }: Comparison, { width, paint }: TextLayout): string {
  const parts = sides.flatMap((side) => {
    const own = oneSided.filter(({ shownBy }) => shownBy === side);
    const ids = own.slice(0, 2).map(({ requirement }) => requirement.id);
    const text = `${own.length} by ${names[side]} (${ids.join(', ')}${own.length > 2 ? ', ...' : ''})`;
    return own.length === 0 ? [] : [text];
  });
  return parts.length === 0
    ? ''
    : paint.quiet(fitColumns(`Shown on one side only, no difference: ${parts.join(', ')}`, width));
}

function renderSum(
  { outcome, reports, failures, choices, compared }: Comparison,
  { width, paint }: TextLayout,
): string {
  const { a, b } = reports;
  const extent = `${countOf(compared.requirements, 'requirement')} and ${countOf(compared.questions, 'open question')}`;
  const early = sides.flatMap((side) => {
    const why = reports[side].run.endedEarly;
    return why === undefined ? [] : [`The run on ${names[side]} ended early: ${showLine(why)}.`];
  });
  const what = [
    ...(failures.length === 0 ? [] : [countOf(failures.length, 'requirement')]),
    ...(choices.length === 0 ? [] : [countOf(choices.length, 'open question')]),
  ].join(' and ');
  const lines =
    outcome === 'same'
      ? [
          `Nothing differs between A ${a.target.baseUrl} and B ${b.target.baseUrl}: ${extent} compared, seed ${a.run.seed}.`,
        ]
      : [
          `A ${a.target.baseUrl}`,
          `B ${b.target.baseUrl}`,
          `They differ in ${what}.`,
          `Compared: ${extent}, seed ${a.run.seed}.`,
        ];
  const tone = outcome === 'same' ? paint.good : paint.bad;
  return [
    ...lines.map((line) => tone(line)),
    ...early.flatMap((line) => wrapWords(line, width)),
  ].join('\n');
}
