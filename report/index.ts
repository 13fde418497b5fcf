export { renderAnnotations } from './annotation.ts';
export { cutText } from './cause/log.ts';
export { fitColumns, wrapWords } from './text/layout.ts';
export { renderJsonComparison } from './comparison-json.ts';
export { renderBriefComparison, renderComparison } from './text/comparison.ts';
export { listReportFiles, type LongReportFile, reportFileName, reportFileNames } from './files.ts';
export { renderHar } from './har.ts';
export { renderHtml } from './html/page.ts';
/** @internal */
export { listHtmlSections } from './html/page.ts';
export { reportStyle } from './html/style.ts';
export { listPlan, namePhase, waitingSeconds } from './text/plan.ts';
export { describeReport, readJsonReport, renderJsonReport } from './json.ts';
export { describeMissing } from './model/merge.ts';
export {
  countResults,
  describeCounts,
  describeRequests,
  describeSeconds,
  describeVerdict,
  isInForce,
  listCounts,
  listNotTested,
  listWaiverFaults,
  showInstant,
} from './model/summary.ts';
export { renderJunit } from './junit.ts';
export { renderMarkdown } from './markdown.ts';
export { ansiPaint, type Paint, plainLayout, plainPaint, type TextLayout } from './text/layout.ts';
export { renderBriefText, renderText } from './text/text.ts';
export { showLine } from '../page/view/visible.ts';
