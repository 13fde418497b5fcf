import { type Report, createRedaction } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { ConformanceRun, ReportFormat } from '../../mock/index.ts';
import { renderHtml, renderJsonReport, summarise } from '../../report/index.ts';

/** A report that is kept, with the document by which it is read. */
export interface KeptReport {
  readonly report: Report;
  readonly contract: Contract;
}

/** What the list of runs tells of a report; `target`: how it is called there. */
export function describeReport(
  report: Report,
  target: string,
): Pick<ConformanceRun, 'verdict' | 'sentence' | 'counts'> {
  const { sentence, passed, failed, advised, waived, notTested, open } = summarise(report);
  const { baseUrl } = report.target;
  const subject = `${target.slice(0, 1).toUpperCase()}${target.slice(1)}`;
  const isOfCopy = target === 'this mock' && sentence.startsWith(baseUrl);
  return {
    verdict: report.outcome,
    sentence: `${isOfCopy ? subject + sentence.slice(baseUrl.length) : sentence}.`,
    counts: { passed, failed, advised, waived, 'not-tested': notTested, open },
  };
}

export function renderReport({ report, contract }: KeptReport, format: ReportFormat): string {
  return format === 'json' ? renderJsonReport(report, contract) : renderHtml(report, contract);
}

/** The reason why a run has no report, without its key. */
export function explainFailure(error: unknown, key: string | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  return createRedaction(key)(message);
}
