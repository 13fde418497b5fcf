import type { Contract } from '../contract/index.ts';
import type { Report } from '../conformance/index.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './html/page.ts';
import { renderJsonReport } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/** All files of a report, as `--report` writes them into a folder. No key is in them. */
export function renderReportFiles(report: Report, contract: Contract): readonly ReportFile[] {
  return [
    { name: 'report.json', text: renderJsonReport(report, contract) },
    { name: 'report.html', text: renderHtml(report, contract) },
    { name: 'junit.xml', text: renderJunit(report, contract) },
    { name: 'summary.md', text: renderMarkdown(report, contract) },
    { name: 'exchanges.har', text: renderHar(report, contract) },
  ];
}
