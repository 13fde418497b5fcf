import type { Report } from '../report.ts';
import type { Verdict } from '../verdict.ts';

/** A report as JSON, indented; `docs/report.schema.json` describes it. Holds no key. */
export function renderJsonReport(report: Report): string {
  return `${JSON.stringify({ ...report, verdicts: report.verdicts.map(flatten) }, undefined, 2)}\n`;
}

/** The obligation's facts and the verdict in one object. */
function flatten(verdict: Verdict): Record<string, unknown> {
  const { obligation, kind, ...rest } = verdict;
  return { ...obligation, verdict: kind, ...rest };
}
