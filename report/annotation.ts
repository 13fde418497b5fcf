import type { Contract } from '../contract/index.ts';
import type { Report } from '../conformance/index.ts';
import { listFailures, type FailureView } from './model/failure.ts';
import { summarise } from './model/summary.ts';

/**
 * Workflow commands of GitHub Actions: one error a line for each failed requirement, or for why the
 * run is inconclusive.
 */
export function renderAnnotations(report: Report, contract: Contract): string {
  const failures = listFailures('failed', report, contract).map(renderAnnotation);
  const doubts =
    report.outcome === 'inconclusive'
      ? [`::error title=inconclusive::${escapeData(summarise(report).sentence)}`]
      : [];
  return [...doubts, ...failures].map((line) => `${line}\n`).join('');
}

function renderAnnotation({ requirement, expected, received, source, steps }: FailureView): string {
  const lines = [
    requirement.sentence,
    `Expected: ${expected}`,
    `Received: ${received}`,
    `Required in ${source}`,
    ...steps.map(({ curl }) => curl),
  ];
  return `::error title=${escapeProperty(requirement.id)}::${escapeData(lines.join('\n'))}`;
}

/** A text as the message of a workflow command: in one line, its percent signs escaped. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A text as the property of a workflow command, where colons and commas separate. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
