import type { Contract } from '../../contract/contract.ts';
import {
  type Requirement,
  type Exchange,
  type Failure,
  type Report,
  type Verdict,
  isFailure,
  shortenReplayId,
} from '../../conformance/index.ts';
import type { ExchangeMarks } from '../../page/view/exchange.ts';
import { quoteShell } from '../../page/view/quote/shell.ts';
import { renderCurl } from './curl.ts';
import { type VisibleText, show, showLine } from '../../page/view/visible.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';

/**
 * A failed requirement as all human-readable formats show it. Texts are in one line and escaped.
 */
export interface FailureView {
  readonly requirement: Requirement;
  readonly source: VisibleText;
  readonly expected: VisibleText;
  readonly received: VisibleText;
  /** The exchanges in their order; the last one shows the failure. */
  readonly steps: readonly FailureStep[];
  /** Number of further occurrences. */
  readonly more: number;
  /** The command that repeats it, if the run has one. */
  readonly replay: VisibleText | undefined;
}

/**
 * `curl` sends it again; undefined if that would not show the failure, as for requests of clients.
 */
export interface FailureStep {
  readonly exchange: Exchange;
  readonly curl: VisibleText | undefined;
  readonly marks: ExchangeMarks;
}

/**
 * The failures of a report, one per requirement, in the contract's order: those that fail the
 * target, those with a waiver in force, or those of recommendations, which do not fail it.
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
 * The first failure of a verdict; undefined if it has none.
 *
 * @param reportFile path of the `report.json` with its requests, if there is one: then the replay
 * line refers to it, else it contains the requests
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
      steps: exchanges.map((exchange, at) => ({
        exchange,
        marks: markExchange(requirement, first, exchange, at === exchanges.length - 1, contract),
        curl:
          report.client === undefined
            ? renderCurl(contract, report.target, exchange.request)
            : undefined,
      })),
      more: rest.length,
      replay:
        first.replay === undefined
          ? undefined
          : show`npx petstore-contract conform --base-url ${quoteShell(report.target.baseUrl)} --replay ${reportFile === undefined ? showLine(first.replay) : quoteShell(`${reportFile}#${shortenReplayId(first.replay)}`)}`,
    },
  ];
}

/**
 * The parts of an exchange to highlight. In responses, only those of the last one, which shows the
 * failure.
 */
export function markExchange(
  { subject }: Pick<Requirement, 'subject'>,
  { at }: Pick<Failure, 'at'>,
  { request, outcome }: Exchange,
  isLast: boolean,
  { rateLimit }: Contract,
): ExchangeMarks {
  const { body = '' } = request;
  const requestBody: string[] = [];
  if (subject.kind === 'request' && body !== '')
    requestBody.push(renderPointer(subject.path.map((step) => (step === '[]' ? 0 : step))));
  if (
    subject.kind === 'state' &&
    'member' in subject &&
    body.includes(JSON.stringify(subject.member))
  )
    requestBody.push(renderPointer([subject.member]));
  if (!isLast || outcome.kind === 'no-response') return { requestBody };
  const headers: string[] = [];
  if (subject.kind === 'header') headers.push(subject.name);
  if (subject.kind === 'rate-limit' && rateLimit !== undefined)
    headers.push(...headersOfFacet(subject.facet, rateLimit.headers));
  const isOfStatus = headers.length === 0 && at === undefined;
  return { requestBody, status: isOfStatus, headers, body: at === undefined ? [] : [at] };
}

/** The headers that a rate-limit requirement is about; none if it is about a status. */
export function headersOfFacet(
  facet: Extract<Requirement['subject'], { readonly kind: 'rate-limit' }>['facet'],
  { limit, remaining, reset, retryAfter }: RateLimitHeaderNames,
): readonly string[] {
  return {
    headers: [limit, remaining, reset],
    'remaining-within-limit': [remaining, limit],
    plan: [limit, remaining],
    'remaining-counts': [remaining],
    'remaining-monotonic': [remaining],
    'reset-plausible': [reset],
    'retry-after': [retryAfter],
    exceeded: [],
    returns: [],
  }[facet];
}
