import type { Contract } from '../../contract/contract.ts';
import type {
  ChoiceDifference,
  Comparison,
  Sides,
  FailureDifference,
  Report,
  Verdict,
} from '../../conformance/index.ts';
import {
  fitColumns,
  wrapWords,
  joinSections,
  plainLayout,
  renderSection,
  type TextLayout,
} from './layout.ts';
import { countOf } from '../../page/view/count.ts';
import { describe } from '../model/question.ts';
import { viewFailure } from '../model/failure.ts';
import { label, renderRequirement, renderProof } from './text.ts';
import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';

const sides = ['a', 'b'] as const;

/** Lines that show what a side does which makes none of the choices. */
const mostEvidence = 3;

const names = { a: 'A', b: 'B' } as const satisfies Sides<string>;

/** What differs and the sum of it only. Default layout: 100 columns without colour. */
export function renderBriefComparison(
  comparison: Comparison,
  contract: Contract,
  layout = plainLayout,
): VisibleText {
  const differences = renderDifferences(comparison, contract, layout);
  return joinSections([...differences, renderSum(comparison, layout)]);
}

/** Each difference, what one side alone showed in one line, and the sum. */
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
  return [
    ...comparison.failures.map((each) => renderFailure(each, comparison.reports, contract, layout)),
    renderChoices(comparison, contract, layout),
    renderResponses(comparison, layout),
  ];
}

function renderFailure(
  { requirement, verdicts }: FailureDifference,
  reports: Sides<Report>,
  contract: Contract,
  layout: TextLayout,
): VisibleText {
  const failures = sides.flatMap((side) =>
    viewFailure(verdicts[side], reports[side], contract).map((failure) => ({ side, failure })),
  );
  const [first] = failures;
  if (!first) return show``;
  const advice = requirement.level === 'should' ? ' (ADVICE)' : '';
  const headline =
    failures.length > 1 ? show`BOTH FAIL, DIFFERENTLY` : show`ONLY ${names[first.side]} FAILS`;
  const others = sides.filter((side) => !failures.some((each) => each.side === side));
  const lines = [
    ...renderRequirement(
      failures.length > 1 ? { ...first.failure, more: 0 } : first.failure,
      show`${headline}${advice}`,
      layout,
    ),
    ...failures.flatMap(({ side, failure }) => [
      ...(failures.length > 1
        ? [
            label(
              show`on ${names[side]}`,
              layout.paint.quiet(showLine(reports[side].target.baseUrl)),
              layout,
            ),
          ]
        : []),
      ...renderProof(failure, layout),
    ]),
    ...others.map((side) =>
      labelFitted(show`on ${names[side]}`, describeOther(verdicts[side]), layout),
    ),
  ];
  return joinShown(lines, '\n');
}

function labelFitted(name: VisibleText, text: VisibleText, layout: TextLayout): VisibleText {
  return label(name, fitColumns(text, layout.width - 13), layout);
}

function describeOther(verdict: Verdict): VisibleText {
  return verdict.kind === 'not-tested'
    ? show`not tested: ${showLine(verdict.reason)}`
    : show`passed`;
}

function renderChoices(
  { choices }: Comparison,
  contract: Contract,
  layout: TextLayout,
): VisibleText {
  const lines = choices.map((each) => renderChoice(each, contract, layout));
  return renderSection(show`Open questions with different choices`, lines, layout);
}

function renderResponses({ responses, reports }: Comparison, layout: TextLayout): VisibleText {
  const lines = responses.map(({ requirement, member, shown, exchanges }) => {
    const what =
      member === undefined ? 'the status' : `\`${member}\` of an item that the run added`;
    return joinShown(
      [
        show`  ${showLine(requirement.operation)}: ${showLine(what)}`,
        ...sides.map((side) => {
          const sent = reports[side].exchanges[exchanges[side]]?.request;
          const request = `${sent?.method} ${sent?.target} ${sent?.body ?? ''}`;
          const text = `${shown[side]} (request ${exchanges[side] + 1}: ${request.trim()})`;
          return labelFitted(show`  ${names[side]}`, showLine(text), layout);
        }),
      ],
      '\n',
    );
  });
  return renderSection(show`Different responses that the contract allows`, lines, layout);
}

function renderChoice(
  { question: id, observations }: ChoiceDifference,
  contract: Contract,
  layout: TextLayout,
): VisibleText {
  const question = contract.openQuestions.find((each) => each.id === id);
  const lines = sides.flatMap((side) => {
    const { name, evidence } = describe(observations[side], question);
    const shown = evidence.slice(0, name === 'something else' ? mostEvidence : 1);
    return shown.map((each, index) => {
      const text = showLine(index === 0 ? `${name}: ${each.evidence}` : each.evidence);
      return labelFitted(index === 0 ? show`  ${names[side]}` : show``, text, layout);
    });
  });
  const asked = showLine(`${id}: ${question?.question ?? ''}`);
  return joinShown(
    [
      ...wrapWords(asked, layout.width - 4).map((line, index) =>
        index === 0 ? show`  ${line}` : show`    ${line}`,
      ),
      ...lines,
    ],
    '\n',
  );
}

/** One line: what only one side showed is not a difference of behaviour. */
function renderOneSided({ oneSided }: Comparison, { width, paint }: TextLayout): VisibleText {
  const parts = sides.flatMap((side) => {
    const own = oneSided.filter(({ shownBy }) => shownBy === side);
    const ids = own.slice(0, 2).map(({ requirement }) => showLine(requirement.id));
    const text = show`${own.length} by ${names[side]} (${joinShown(ids, ', ')}${own.length > 2 ? ', ...' : ''})`;
    return own.length === 0 ? [] : [text];
  });
  return parts.length === 0
    ? show``
    : paint.quiet(
        fitColumns(
          show`Seen on one side only (not a difference): ${joinShown(parts, ', ')}`,
          width,
        ),
      );
}

function renderSum(
  { outcome, reports, failures, choices, responses, compared }: Comparison,
  { width, paint }: TextLayout,
): VisibleText {
  const { a, b } = reports;
  const urls = [showLine(a.target.baseUrl), showLine(b.target.baseUrl)] as const;
  const extent = show`${countOf(compared.requirements, 'requirement')} and ${countOf(compared.questions, 'open question')}`;
  const early = sides.flatMap((side) => {
    const why = reports[side].run.endedEarly;
    return why === undefined
      ? []
      : [show`The run on ${names[side]} ended early: ${showLine(why)}.`];
  });
  const what = joinShown(
    [
      ...(failures.length === 0 ? [] : [countOf(failures.length, 'requirement')]),
      ...(choices.length === 0 ? [] : [countOf(choices.length, 'open question')]),
      ...(responses.length === 0 ? [] : [countOf(responses.length, 'other response')]),
    ],
    ' and ',
  );
  const lines =
    outcome === 'same'
      ? [
          show`No differences between A ${urls[0]} and B ${urls[1]}: ${extent} compared, seed ${a.run.seed}.`,
        ]
      : [
          show`A ${urls[0]}`,
          show`B ${urls[1]}`,
          show`They differ in ${what}.`,
          show`Compared: ${extent}, seed ${a.run.seed}.`,
        ];
  const tone = outcome === 'same' ? paint.good : paint.bad;
  return joinShown(
    [...lines.map((line) => tone(line)), ...early.flatMap((line) => wrapWords(line, width))],
    '\n',
  );
}
