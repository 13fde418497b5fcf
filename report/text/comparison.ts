import type { Contract } from '../../contract/contract.ts';
import type { Comparison, FailureDifference, Report, Sides } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';
import { viewFailure } from '../model/failure.ts';
import { describe } from '../model/question.ts';
import type { TableRow } from '../sections/sections.ts';
import {
  fitColumns,
  wrapWords,
  joinSections,
  plainLayout,
  renderSection,
  type TextLayout,
} from './layout.ts';
import { label, renderProof, renderRequirement, renderRows } from './text.ts';

const sides = ['a', 'b'] as const;

/** Most lines about a side whose behaviour is none of the choices. */
const maxEvidence = 3;

const names = { a: 'A', b: 'B' } as const satisfies Sides<string>;

/** Only the differences and the totals. Default layout: 100 columns without colour. */
export function renderBriefComparison(
  comparison: Comparison,
  contract: Contract,
  layout: TextLayout = plainLayout,
): VisibleText {
  const differences = renderDifferences(comparison, contract, layout);
  return joinSections([...differences, renderSum(comparison, layout)]);
}

/** Each difference, one line on what only one side showed, and the totals. */
export function renderComparison(
  comparison: Comparison,
  contract: Contract,
  layout: TextLayout = plainLayout,
): VisibleText {
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
): readonly VisibleText[] {
  const section = (title: VisibleText, rows: readonly TableRow[]): VisibleText => {
    const fitting = rows.map(({ cells, sentence = '' }) => ({
      cells,
      sentence: fitColumns(sentence, layout.width - 6),
    }));
    return renderSection(title, renderRows({ columns: [], rows: fitting }, layout), layout);
  };
  return [
    ...comparison.failures.map((each) => renderFailure(each, comparison.reports, contract, layout)),
    section(show`Open questions with different choices`, listChoices(comparison, contract)),
    section(show`Different responses that the contract allows`, listResponses(comparison)),
  ];
}

function renderFailure(
  { requirement, verdicts }: FailureDifference,
  reports: Sides<Report>,
  contract: Contract,
  layout: TextLayout,
): VisibleText {
  const on = (side: 'a' | 'b', text: VisibleText): VisibleText =>
    label(show`on ${names[side]}`, fitColumns(text, layout.width - 13), layout);
  const failures = sides.flatMap((side) =>
    viewFailure(verdicts[side], reports[side], contract).map((failure) => ({ side, failure })),
  );
  const [first, second] = failures;
  if (first === undefined) return show``;
  const headline = second ? show`BOTH FAIL, DIFFERENTLY` : show`ONLY ${names[first.side]} FAILS`;
  const advice = requirement.level === 'should' ? ' (ADVICE)' : '';
  const { paint } = layout;
  const lines = [
    show`${paint.bad(show`${headline}${advice}`)}  ${paint.strong(showLine(requirement.id))}`,
    ...renderRequirement(first.failure, layout),
  ];
  for (const { side, failure } of failures) {
    if (second) lines.push(on(side, paint.quiet(showLine(reports[side].target.baseUrl))));
    lines.push(...renderProof(failure, layout));
  }
  if (second === undefined) {
    const side = first.side === 'a' ? 'b' : 'a';
    const verdict = verdicts[side];
    const isTested = verdict.kind !== 'not-tested';
    lines.push(on(side, isTested ? show`passed` : show`not tested: ${showLine(verdict.reason)}`));
  }
  return joinShown(lines, '\n');
}

function listChoices({ choices }: Comparison, contract: Contract): readonly TableRow[] {
  return choices.flatMap(({ question: id, observations }) => {
    const question = contract.openQuestions.find((each) => each.id === id);
    return sides.flatMap((side) => {
      const { name, evidence } = describe(observations[side], question);
      const shown = evidence.slice(0, name === 'something else' ? maxEvidence : 1);
      return shown.map((each): TableRow => ({
        cells: [`${id}: ${question?.question ?? ''}`],
        sentence: `${names[side]}  ${name}: ${each.evidence}`,
      }));
    });
  });
}

function listResponses({ responses, reports }: Comparison): readonly TableRow[] {
  return responses.flatMap(({ requirement, member, shown, exchanges }) => {
    const what =
      member === undefined ? 'the status' : `\`${member}\` of an item that the run added`;
    return sides.map((side): TableRow => {
      const sent = reports[side].exchanges[exchanges[side]]?.request;
      const request = `${sent?.method} ${sent?.target} ${sent?.body ?? ''}`.trim();
      return {
        cells: [`${requirement.operation}: ${what}`],
        sentence: `${names[side]}  ${shown[side]} (request ${exchanges[side] + 1}: ${request})`,
      };
    });
  });
}

/** One line. What only one side showed is not a difference in behaviour. */
function renderOneSided({ oneSided }: Comparison, { width, paint }: TextLayout): VisibleText {
  const parts = sides.flatMap((side) => {
    const own = oneSided.filter(({ shownBy }) => shownBy === side);
    const ids = own.slice(0, 2).map(({ requirement }) => showLine(requirement.id));
    const text = show`${own.length} by ${names[side]} (${joinShown(ids, ', ')}${own.length > 2 ? ', ...' : ''})`;
    return own.length === 0 ? [] : [text];
  });
  if (parts.length === 0) return show``;
  const line = show`Seen on one side only (not a difference): ${joinShown(parts, ', ')}`;
  return paint.quiet(fitColumns(line, width));
}

function renderSum(
  { outcome, reports, failures, choices, responses, compared }: Comparison,
  { width, paint }: TextLayout,
): VisibleText {
  const [a, b] = [showLine(reports.a.target.baseUrl), showLine(reports.b.target.baseUrl)] as const;
  const { seed } = reports.a.run;
  const extent = show`${countOf(compared.requirements, 'requirement')} and ${countOf(compared.questions, 'open question')}`;
  const counts = [
    [failures.length, 'requirement'],
    [choices.length, 'open question'],
    [responses.length, 'other response'],
  ] as const;
  const different = counts.flatMap(([count, what]) => (count === 0 ? [] : [countOf(count, what)]));
  const found =
    outcome === 'same'
      ? show`No differences.`
      : show`They differ in ${joinShown(different, ' and ')}.`;
  const lines = [show`A ${a}`, show`B ${b}`, found, show`Compared: ${extent}, seed ${seed}.`];
  const early = sides.flatMap((side) => {
    const why = reports[side].run.endedEarly;
    return why === undefined
      ? []
      : wrapWords(show`The run on ${names[side]} ended early: ${showLine(why)}.`, width);
  });
  const tone = outcome === 'same' ? paint.good : paint.bad;
  return joinShown([...lines.map((line) => tone(line)), ...early], '\n');
}
