import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { listReportFiles } from '../../report/index.ts';

/** The files of a report, each as one text. */
export function renderReportFiles(report: Report, contract: Contract) {
  return listReportFiles(report, contract).map(({ name, pieces }) => ({
    name,
    text: [...pieces].join(''),
  }));
}
