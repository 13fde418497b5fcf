import type { Contract } from '../contract/contract.ts';
import type { Report } from '../conformance/index.ts';
import { listHarPieces } from './har.ts';
import { renderHtml } from './html/page.ts';
import { listJsonPieces } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** A file whose text may be too long for one: its pieces are made as they are asked for, once. */
export interface LongReportFile {
  readonly name: string;
  readonly pieces: Iterable<string>;
}

/** The file that holds all that was sent: the others name the requests of a replay by it. */
export const reportFileName = 'report.json';

type Render = (report: Report, contract: Contract, reportFile: string) => Iterable<string>;

/** What `--report` writes, by name. */
const renderers: ReadonlyMap<string, Render> = new Map([
  [reportFileName, listJsonPieces],
  ['report.html', (...given) => [renderHtml(...given)]],
  ['junit.xml', (...given) => [renderJunit(...given)]],
  ['summary.md', (...given) => [renderMarkdown(...given)]],
  ['exchanges.har', listHarPieces],
]);

export const reportFileNames: readonly string[] = [...renderers.keys()];

/** All files of a report, as `--report` writes them into a folder. No key is in them. */
export function listReportFiles(report: Report, contract: Contract): readonly LongReportFile[] {
  return [...renderers].map(([name, render]) => ({
    name,
    // One that cannot be rendered does not keep the others from it.
    pieces: {
      [Symbol.iterator]: () => render(report, contract, reportFileName)[Symbol.iterator](),
    },
  }));
}
