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
import { renderCurl } from './curl.ts';
import { chooseWords, type FailureWords } from './summary.ts';
import { type VisibleText, show, showLine } from '../../page/view/visible.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import type { RateLimitHeaderNames } from '../../contract/openapi/rate-limit.ts';
import { layOutJson } from '../../page/view/json.ts';

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

/** What was expected of one field of an exchange, and what was received there. */
export interface Contrast {
  /** `status`, a header, or a member or pointer of a body; undefined where no one field differs. */
  readonly field: string | undefined;
  readonly expected: Side;
  readonly received: Side;
}

export interface Side {
  /** What is said of the field, without its name. */
  readonly text: string;
  /** The value that `text` begins with and that differs; empty for none. */
  readonly value: string;
}

/** Takes the field out of what was expected and received. Texts are in one line. */
export function readContrast(
  { subject }: Pick<Requirement, 'subject'>,
  expected: string,
  received: string,
): Contrast {
  const statuses = readStatuses(expected, received);
  if (statuses !== undefined) return statuses;
  const members = [expected, received].map((text) => /^`([^`]+)` (.*)$/s.exec(text));
  const [[, name, wanted] = [], [, other, found] = []] = members.map((match) => match ?? []);
  if (name !== undefined && name === other) return contrast(name, wanted, found);
  if (subject.kind === 'header')
    return contrast(subject.name, withoutName(expected, subject.name), received);
  if (subject.kind === 'body') {
    const [, pointer, message] = /^(the body|\/\S*) (.*)$/s.exec(expected) ?? [];
    if (pointer !== undefined) return contrast(pointer, message, withoutResponse(received));
    if (subject.part === 'content-type') return contrast('Content-Type', expected, received);
  }
  return contrast(undefined, expected, received);
}

function contrast(field: string | undefined, expected = '', received = ''): Contrast {
  const values = [expected, received].map((text) => (field === undefined ? '' : literalOf(text)));
  const [one = '', other = ''] = values[0] === values[1] ? [] : values;
  return {
    field,
    expected: { text: expected, value: one },
    received: { text: received, value: other },
  };
}

/** Where both begin with a status, that is what differs; where it does not, the rest does. */
function readStatuses(expected: string, received: string): Contrast | undefined {
  const [wanted, found] = [expected, received].map((text) => /^\d{3}(?![\w.])/.exec(text)?.[0]);
  if (found === undefined || (wanted === undefined && expected !== 'any response below 500'))
    return undefined;
  const differs = wanted !== found;
  return {
    field: differs ? 'status' : undefined,
    expected: { text: expected, value: differs ? (wanted ?? '') : '' },
    received: { text: received, value: differs ? found : '' },
  };
}

/** The JSON scalar that a text begins with, as a whole. */
function literalOf(text: string): string {
  return (
    /^(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=$|[\s,])/.exec(
      text,
    )?.[0] ?? ''
  );
}

function withoutName(text: string, name: string): string {
  return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}

/** `"Max" in 200 {...}` without the response that it was in. */
function withoutResponse(text: string): string {
  return /^(.*?) in \d{3} /s.exec(text)?.[1] ?? text;
}

export interface Shown {
  readonly requirement: Requirement;
  readonly expected: string;
  readonly received: string;
  readonly contrast: Contrast;
  readonly at: string | undefined;
}

/** What to mark in an exchange of a failure: `isLast` in the one that shows it. */
export function markExchange(
  shown: Shown,
  { request, outcome }: Exchange,
  isLast: boolean,
  contract: Contract,
): ExchangeMarks {
  const { at, requirement } = shown;
  const { subject } = requirement;
  const members = membersOf(requirement, contract);
  const sent =
    subject.kind === 'request'
      ? [renderPointer(subject.path.map((step) => (step === '[]' ? 0 : step)))]
      : findAll(request.body, members);
  const requestMarks = { requestBody: request.body === undefined ? [] : sent };
  if (!isLast || outcome.kind === 'no-response') return requestMarks;
  return {
    ...requestMarks,
    target: subject.kind === 'parameter',
    status: isOfStatus(shown),
    headers: headersOf(shown, contract),
    body: at === undefined ? findAll(outcome.response.body, members).slice(0, 1) : [at],
  };
}

function membersOf({ subject }: Requirement, { resources }: Contract): readonly string[] {
  if (subject.kind === 'state' && 'member' in subject) return [subject.member];
  const isOfId =
    (subject.kind === 'state' || subject.kind === 'concurrency') &&
    /^(id-|distinct|unique|not-written|removed)/.test(subject.facet);
  return isOfId ? resources.map(({ idPlace }) => idPlace.at(-1) ?? '') : [];
}

function findAll(text: string | undefined, names: readonly string[]): readonly string[] {
  if (text === undefined || names.length === 0) return [];
  const places = layOutJson(text)?.flatMap(({ parts }) => parts.flatMap(({ at }) => at ?? []));
  return (places ?? []).filter((at) => names.some((name) => at.endsWith(renderPointer([name]))));
}

function headersOf(
  { requirement: { subject }, expected, received }: Shown,
  { rateLimit }: Contract,
): readonly string[] {
  if (subject.kind === 'header') return [subject.name];
  if (subject.kind === 'body') {
    const isOfType = subject.part === 'content-type' || expected.startsWith('the content type');
    return isOfType ? ['Content-Type'] : [];
  }
  if (subject.kind !== 'rate-limit' || rateLimit === undefined) return [];
  const { headers } = rateLimit;
  const text = `${expected} ${received}`;
  const named = Object.values(headers).filter((name) => text.includes(name));
  return named.length > 0 ? named : headersOfFacet(subject.facet, headers);
}

/** The headers that a rule of the rate limit is about; none where it is about a status. */
export function headersOfFacet(
  facet: Extract<Requirement['subject'], { readonly kind: 'rate-limit' }>['facet'],
  { limit, remaining, reset, retryAfter }: RateLimitHeaderNames,
): readonly string[] {
  switch (facet) {
    case 'headers':
      return [limit, remaining, reset];
    case 'remaining-within-limit':
      return [remaining, limit];
    case 'plan':
      return [limit, remaining];
    case 'remaining-counts':
    case 'remaining-monotonic':
      return [remaining];
    case 'reset-plausible':
      return [reset];
    case 'retry-after':
      return [retryAfter];
    case 'exceeded':
    case 'returns':
      return [];
  }
}

/** A status that came too late or too early, which no other field shows. */
function isOfStatus({ requirement: { subject }, contrast }: Shown): boolean {
  const isOfLimit =
    subject.kind === 'rate-limit' && (subject.facet === 'exceeded' || subject.facet === 'returns');
  return contrast.field === 'status' || isOfLimit;
}
