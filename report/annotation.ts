import type { Contract } from '../contract/contract.ts';
import type { Report } from '../conformance/index.ts';
import { type VisibleText, joinShown, reshape, show, showLine } from '../page/view/visible.ts';
import { viewCauses, type CauseView } from './cause/causes.ts';
import { describeVerdict, listWaiverFaults } from './model/summary.ts';

/** Most errors of a step that GitHub shows. */
const most = 10;

/**
 * Workflow commands of GitHub Actions: one error for the reason why the run is inconclusive, one
 * for each waiver that fails it, and one for each cause of failures. The tenth of more than ten
 * says how many are not shown.
 */
export function renderAnnotations(report: Report, contract: Contract): VisibleText {
  const failures = viewCauses(report, contract).failed.map(renderAnnotation);
  const doubts =
    report.outcome === 'inconclusive'
      ? [show`::error title=inconclusive::${escapeData(showLine(describeVerdict(report)))}`]
      : [];
  const waivers = listWaiverFaults(report).map(
    (fault) => show`::error title=waiver::${escapeData(showLine(fault))}`,
  );
  const all = [...doubts, ...waivers, ...failures];
  const more = all.length - most + 1;
  const rest = show`::error title=${more} more::The run failed for ${more} more reasons. The job summary lists all of them.`;
  const shown = more > 1 ? [...all.slice(0, most - 1), rest] : all;
  return joinShown(
    shown.map((line) => show`${line}\n`),
    '',
  );
}

function renderAnnotation({ sentence, failure, effects }: CauseView): VisibleText {
  const { requirement, expected, received, source, steps } = failure;
  const also = effects.map((effect) => showLine(effect.requirement.id));
  const lines = [
    sentence,
    showLine(requirement.sentence),
    show`Expected: ${expected}`,
    show`Received: ${received}`,
    show`Required in ${source}`,
    ...steps.flatMap(({ curl }) => curl ?? []),
    ...(also.length === 0 ? [] : [show`Also failed: ${joinShown(also, ', ')}`]),
  ];
  return show`::error title=${escapeProperty(showLine(requirement.id))}::${escapeData(joinShown(lines, '\n'))}`;
}

/** Escapes a text as the message of a workflow command, in one line. */
function escapeData(text: VisibleText): VisibleText {
  return reshape(text, (data) =>
    data.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'),
  );
}

/** Escapes a text as a property of a workflow command, where colons and commas separate. */
function escapeProperty(text: VisibleText): VisibleText {
  return reshape(escapeData(text), (value) => value.replaceAll(':', '%3A').replaceAll(',', '%2C'));
}
