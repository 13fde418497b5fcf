import type { Contract } from '../contract/index.ts';
import type { Report } from '../conformance/index.ts';
import { type VisibleText, joinShown, reshape, show, showLine } from '../view/visible.ts';
import { listFailures, type FailureView } from './model/failure.ts';
import { listWaiverFaults, summarise } from './model/summary.ts';

/**
 * Workflow commands of GitHub Actions: one error a line for each failed requirement, or for why the
 * run is inconclusive.
 */
export function renderAnnotations(report: Report, contract: Contract): VisibleText {
  const failures = listFailures('failed', report, contract).map(renderAnnotation);
  const doubts =
    report.outcome === 'inconclusive'
      ? [show`::error title=inconclusive::${escapeData(showLine(summarise(report).sentence))}`]
      : [];
  const waivers = listWaiverFaults(report).map(
    (fault) => show`::error title=waiver::${escapeData(showLine(fault))}`,
  );
  return joinShown(
    [...doubts, ...waivers, ...failures].map((line) => show`${line}\n`),
    '',
  );
}

function renderAnnotation({
  requirement,
  expected,
  received,
  source,
  steps,
}: FailureView): VisibleText {
  const lines = [
    showLine(requirement.sentence),
    show`Expected: ${expected}`,
    show`Received: ${received}`,
    show`Required in ${source}`,
    ...steps.flatMap(({ curl }) => curl ?? []),
  ];
  return show`::error title=${escapeProperty(showLine(requirement.id))}::${escapeData(joinShown(lines, '\n'))}`;
}

/** A text as the message of a workflow command: in one line, its percent signs escaped. */
function escapeData(text: VisibleText): VisibleText {
  return reshape(text, (data) =>
    data.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'),
  );
}

/** A text as the property of a workflow command, where colons and commas separate. */
function escapeProperty(text: VisibleText): VisibleText {
  return reshape(escapeData(text), (value) => value.replaceAll(':', '%3A').replaceAll(',', '%2C'));
}
