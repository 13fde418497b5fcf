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

/** The file that holds all that was sent: the others name the requests of a replay by it. */
export const reportFileName = 'report.json';

type Render = (report: Report, contract: Contract, reportFile: string) => string;

/** What `--report` writes, by name. */
const renderers: ReadonlyMap<string, Render> = new Map([
  [reportFileName, renderJsonReport],
  ['report.html', renderHtml],
  ['junit.xml', renderJunit],
  ['summary.md', renderMarkdown],
  ['exchanges.har', renderHar],
]);

export const reportFileNames: readonly string[] = [...renderers.keys()];

/** All files of a report, as `--report` writes them into a folder. No key is in them. */
export function renderReportFiles(report: Report, contract: Contract): readonly ReportFile[] {
  return [...renderers].map(([name, render]) => ({
    name,
    text: render(report, contract, reportFileName),
  }));
}
