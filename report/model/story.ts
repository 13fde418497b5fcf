import type { Contract, Obligation } from '../../contract/index.ts';
import type { Exchange } from '../../conformance/index.ts';
import { isFailure, type Report } from '../../conformance/index.ts';
import type { Verdict } from '../../conformance/index.ts';
import { quoteShell, renderCurl } from './curl.ts';
import { findDifference, type Difference } from './difference.ts';
import { chooseWords, type StoryWords } from './summary.ts';
import { showLine } from './visible.ts';

/**
 * A broken promise as every output tells it. Texts are in one line and can be shown as they are.
 */
export interface Story {
  readonly obligation: Obligation;
  /** The place of the promise: document, pointer and section. */
  readonly source: string;
  readonly expected: string;
  readonly received: string;
  readonly words: StoryWords;
  /** Where `expected` and `received` differ. */
  readonly difference: Difference | undefined;
  /** What was exchanged, in the order in which it happened; the last one shows the breach. */
  readonly steps: readonly Step[];
  /** How often it was seen besides this. */
  readonly more: number;
  /** The line that repeats it, where the run knows one. */
  readonly replay: string | undefined;
}

/**
 * An exchange of a story, with the line that sends it again where that shows the breach: not what a
 * client did.
 */
export interface Step {
  readonly exchange: Exchange;
  readonly curl: string | undefined;
}

/**
 * Tells the violations that fail a target, one story for each obligation, in the contract's order.
 */
export function tellStories(report: Report, contract: Contract): readonly Story[] {
  return report.verdicts
    .filter(isFailure)
    .flatMap((verdict) => tellStory(verdict, report, contract));
}

/** Tells the breaches of `should`: reported, not failed. */
export function tellAdvice(report: Report, contract: Contract): readonly Story[] {
  return report.verdicts
    .filter((verdict) => verdict.kind === 'violated' && !isFailure(verdict))
    .flatMap((verdict) => tellStory(verdict, report, contract));
}

/** Tells the violations that a waiver in force covers. */
export function tellWaived(report: Report, contract: Contract): readonly Story[] {
  return report.verdicts
    .filter(({ kind }) => kind === 'waived')
    .flatMap((verdict) => tellStory(verdict, report, contract));
}

/** Tells the first violation of a verdict; none where it has none. */
export function tellStory(verdict: Verdict, report: Report, contract: Contract): readonly Story[] {
  const [first, ...rest] =
    verdict.kind === 'violated' || verdict.kind === 'waived' ? verdict.violations : [];
  if (!first) return [];
  const { obligation } = verdict;
  const [expected, received] = [showLine(first.expected), showLine(first.received)];
  const section = obligation.section === '' ? '' : `, from "${obligation.section}"`;
  const indexes = [...new Set([...first.others, first.exchange])];
  const exchanges = indexes.flatMap(
    (index) => report.exchanges.find((exchange) => exchange.index === index) ?? [],
  );
  return [
    {
      obligation,
      source: `${report.contract.source} ${obligation.pointer}${section}`,
      expected,
      received,
      words: chooseWords(report),
      difference: findDifference(expected, received),
      steps: exchanges.map((exchange) => ({
        exchange,
        curl:
          report.client === undefined
            ? renderCurl(contract, report.target.baseUrl, exchange.request)
            : undefined,
      })),
      more: rest.length,
      replay:
        first.replay === undefined
          ? undefined
          : `petstore conform --base-url ${quoteShell(report.target.baseUrl)} --replay ${first.replay}`,
    },
  ];
}
