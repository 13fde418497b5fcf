import type { Contract } from '../../contract/contract.ts';
import {
  type Requirement,
  type Exchange,
  type Report,
  type Verdict,
  isFailure,
  shortenReplayId,
} from '../../conformance/index.ts';
import type { ExchangeMarks } from '../../page/view/exchange.ts';
import { quoteShell } from '../../page/view/quote/shell.ts';
import { readContrast, type Contrast } from './contrast.ts';
import { renderCurl } from './curl.ts';
import { markExchange } from './marks.ts';
import { chooseWords, type FailureWords } from './summary.ts';
import { type VisibleText, show, showLine } from '../../page/view/visible.ts';

/** A failed requirement as every output shows it. Texts are in one line and safe to show. */
export interface FailureView {
  readonly requirement: Requirement;
  readonly source: VisibleText;
  readonly expected: VisibleText;
  readonly received: VisibleText;
  readonly words: FailureWords;
  /** The same by the field in which they differ. */
  readonly contrast: Contrast;
  /** What was exchanged, in the order in which it happened; the last one shows the failure. */
  readonly steps: readonly FailureStep[];
  /** How often it was seen besides this. */
  readonly more: number;
  /** The line that repeats it, where the run knows one. */
  readonly replay: VisibleText | undefined;
}

/** `curl` sends it again; undefined where that would not show the failure: what a client did. */
export interface FailureStep {
  readonly exchange: Exchange;
  readonly curl: VisibleText | undefined;
  readonly marks: ExchangeMarks;
}

/**
 * The failures of a report, one for each requirement, in the contract's order: those that fail the
 * target, those that a waiver in force covers, and those of recommendations, which fail no one.
 *
 * @param reportFile as for `viewFailure`
 */
export function listFailures(
  kind: 'failed' | 'waived' | 'advised',
  report: Report,
  contract: Contract,
  reportFile?: string,
): readonly FailureView[] {
  return report.verdicts
    .filter(
      (verdict) =>
        kind === (verdict.kind === 'failed' && !isFailure(verdict) ? 'advised' : verdict.kind),
    )
    .flatMap((verdict) => viewFailure(verdict, report, contract, reportFile));
}

/**
 * The first failure of a verdict; none where it has none.
 *
 * @param reportFile path of the `report.json` that holds its requests, if one does: then the replay
 *   names its place there, else it holds them itself
 */
export function viewFailure(
  verdict: Verdict,
  report: Report,
  contract: Contract,
  reportFile?: string,
): readonly FailureView[] {
  const [first, ...rest] =
    verdict.kind === 'failed' || verdict.kind === 'waived' ? verdict.failures : [];
  if (!first) return [];
  const { requirement } = verdict;
  const [expected, received] = [showLine(first.expected), showLine(first.received)];
  const contrast = readContrast(requirement, expected, received);
  const section = requirement.section === '' ? '' : `, from "${requirement.section}"`;
  const indexes = [...new Set([...first.others, first.exchange])];
  const exchanges = indexes.flatMap(
    (index) => report.exchanges.find((exchange) => exchange.index === index) ?? [],
  );
  return [
    {
      requirement,
      source: showLine(`${report.contract.source} ${requirement.pointer}${section}`),
      expected,
      received,
      words: chooseWords(report),
      contrast,
      steps: exchanges.map((exchange, at) => ({
        exchange,
        marks: markExchange(
          { requirement, expected, received, contrast, at: first.at },
          exchange,
          at === exchanges.length - 1,
          contract,
        ),
        curl:
          report.client === undefined
            ? renderCurl(contract, report.target, exchange.request)
            : undefined,
      })),
      more: rest.length,
      replay:
        first.replay === undefined
          ? undefined
          : show`npx petstore-contract conform --base-url ${quoteShell(report.target.baseUrl)} --replay ${nameReplay(first.replay, reportFile)}`,
    },
  ];
}

/** A replay id as an argument: whole, or by its place in a report file. */
function nameReplay(id: string, reportFile: string | undefined): VisibleText {
  return reportFile === undefined
    ? showLine(id)
    : quoteShell(`${reportFile}#${shortenReplayId(id)}`);
}
