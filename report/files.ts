import type { Contract } from '../contract/contract.ts';
import type { Report } from '../conformance/index.ts';
import { listHarPieces } from './har.ts';
import { renderHtml } from './html/page.ts';
import { listJsonPieces } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** A file that may be longer than a string can be: its pieces are made lazily, once. */
export interface LongReportFile {
  readonly name: string;
  readonly pieces: Iterable<string>;
}

/** The file with all requests. The other formats refer to it in replay lines. */
export const reportFileName = 'report.json';

type Render = (report: Report, contract: Contract, reportFile: string) => Iterable<string>;

/** The files that `--report` writes, by name. */
const renderers: ReadonlyMap<string, Render> = new Map([
  [reportFileName, listJsonPieces],
  ['report.html', (...given) => [renderHtml(...given)]],
  ['junit.xml', (...given) => [renderJunit(...given)]],
  ['summary.md', (...given) => [renderMarkdown(...given)]],
  ['exchanges.har', listHarPieces],
]);

export const reportFileNames: readonly string[] = [...renderers.keys()];

/** All files of a report, as `--report` writes them into a folder. They contain no key. */
export function listReportFiles(report: Report, contract: Contract): readonly LongReportFile[] {
  return [...renderers].map(([name, render]) => ({
    name,
    // A format that fails to render does not prevent the others.
    pieces: {
      [Symbol.iterator]: () => render(report, contract, reportFileName)[Symbol.iterator](),
    },
  }));
}
