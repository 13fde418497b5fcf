import { type Report, type Verdict, countVerdicts, isFailure } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { showText } from '../page/view/visible.ts';
import { causesIn } from './cause/causes.ts';
import { describeRequest } from './model/exchange-line.ts';
import { listFailures, type FailureView } from './model/failure.ts';
import { nameOperation } from './model/matrix.ts';
import { describeWaiver, listLeftOut, listWaiverFaults, summarise } from './model/summary.ts';

/**
 * A report in the JUnit form that CI servers read: a suite for each operation, a case for each
 * requirement. A failed requirement is a failure, one that was not tested is skipped with its reason;
 * what a target does where the contract is silent, and advice, is in the output of a case that
 * passes. Where the run is inconclusive, one more case is an error that says why; where waivers fail
 * it, one more case is a failure that names them. Holds no key.
 *
 * @param reportFile path of the `report.json` that holds the requests of replays, if one does
 */
export function renderJunit(report: Report, contract: Contract, reportFile?: string): string {
  const failures = new Map(
    (['failed', 'advised'] as const)
      .flatMap((kind) => listFailures(kind, report, contract, reportFile))
      .map((failure) => [failure.requirement.id, failure]),
  );
  const causes = new Map(
    causesIn(report, contract).flatMap(({ sentence, findings }) =>
      findings.map(({ requirement }) => [requirement.id, sentence] as const),
    ),
  );
  const suites = Map.groupBy(report.verdicts, ({ requirement }) => requirement.operation);
  const facts = {
    name: `${report.contract.title} ${report.contract.version}`,
    ...count(report.verdicts, report),
    time: seconds(report.run.milliseconds),
  };
  const root = renderElement('testsuites', facts, [
    ...renderOfRun(report),
    ...[...suites].map(([operation, verdicts]) =>
      renderSuite(operation, verdicts, report, { failures, causes }),
    ),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

interface Failures {
  readonly failures: ReadonlyMap<string, FailureView>;
  readonly causes: ReadonlyMap<string, string>;
}

function renderSuite(
  operation: string,
  verdicts: readonly Verdict[],
  report: Report,
  failures: Failures,
): string {
  const sent = report.exchanges.filter(({ request }) => request.operation === operation);
  const time = sent.reduce((sum, { sentAt, endedAt }) => sum + endedAt - sentAt, 0);
  const facts = {
    name: nameOperation(operation),
    ...count(verdicts),
    time: seconds(time),
    timestamp: timestampOf(report),
  };
  return renderElement(
    'testsuite',
    facts,
    verdicts.map((verdict) => renderCase(verdict, failures)),
  );
}

/** What is wrong with the run as a whole, each as a suite of one case. */
function renderOfRun(report: Report): readonly string[] {
  const suites: string[] = [];
  const add = (
    classname: string,
    name: string,
    kind: 'errors' | 'failures' | 'skipped',
    result: string,
  ): void => {
    const time = seconds(classname === 'the run' ? report.run.milliseconds : 0);
    const counts = { tests: 1, failures: 0, errors: 0, skipped: 0, [kind]: 1 };
    const facts = { name: classname, ...counts, time, timestamp: timestampOf(report) };
    const single = renderElement('testcase', { classname, name, time }, [result]);
    suites.push(renderElement('testsuite', facts, [single]));
  };
  // Skipped cases alone would look like a run in which all is well.
  if (report.outcome === 'inconclusive') {
    const message = summarise(report).sentence;
    const error = renderElement('error', { message, type: 'inconclusive' }, message);
    add('the run', 'is conclusive', 'errors', error);
  }
  const faults = listWaiverFaults(report);
  if (faults.length > 0) {
    const facts = { message: faults.join('; '), type: 'waiver' };
    const failure = renderElement('failure', facts, faults.join('\n'));
    add('the waivers', 'are in force and necessary', 'failures', failure);
  }
  const unread = listLeftOut(report);
  if (unread !== undefined) {
    const { sentence, items, more } = unread;
    const message = [sentence, ...items, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
    add('the document', 'is read completely', 'skipped', renderElement('skipped', { message }));
  }
  return suites;
}

function timestampOf({ run }: Report): string {
  return run.startedAt.replace(/\.\d*/, '');
}

function count(verdicts: readonly Verdict[], report?: Report): Readonly<Record<string, number>> {
  const counts = countVerdicts(verdicts);
  const waivers = report !== undefined && listWaiverFaults(report).length > 0 ? 1 : 0;
  const unread = report?.contract.leftOut === undefined ? 0 : 1;
  const failures = verdicts.filter(isFailure).length + waivers;
  const errors = report?.outcome === 'inconclusive' ? 1 : 0;
  return {
    tests: verdicts.length + errors + waivers + unread,
    failures,
    errors,
    skipped: counts['not-tested'] + counts.waived + unread,
  };
}

/** Single requirements take no time of their own: many are judged from one response. */
function renderCase(verdict: Verdict, failures: Failures): string {
  const { id: name, operation } = verdict.requirement;
  const facts = { classname: nameOperation(operation), name, time: seconds(0) };
  return renderElement('testcase', facts, renderResult(verdict, failures));
}

function renderResult(verdict: Verdict, { failures, causes }: Failures): readonly string[] {
  const { id, level } = verdict.requirement;
  switch (verdict.kind) {
    case 'not-tested':
      return level === 'open'
        ? [renderElement('system-out', {}, `not tested: ${verdict.reason}`)]
        : [renderElement('skipped', { message: verdict.reason })];
    case 'waived':
      return [renderElement('skipped', { message: `waived: ${describeWaiver(verdict.waiver)}` })];
    case 'open': {
      const lines = verdict.observations.map(
        ({ choices, evidence }) => `${choices.join(' or ') || 'something else'}: ${evidence}`,
      );
      return [renderElement('system-out', {}, lines.join('\n'))];
    }
    case 'passed':
      return [];
    case 'failed': {
      const failure = failures.get(id);
      return failure ? [renderFailure(failure, isFailure(verdict), causes.get(id))] : [];
    }
  }
}

/** A failure, or advice in the output of a case that passes. */
function renderFailure(failure: FailureView, fails: boolean, cause: string | undefined): string {
  const { requirement, source, expected, received, steps, replay } = failure;
  const lines = [
    ...(cause === undefined ? [] : [`Cause: ${cause}`]),
    `Required: ${requirement.sentence}`,
    `In: ${source}`,
    ...steps.flatMap(({ exchange, curl }) => [
      `Sent: ${describeRequest(exchange.request)}`,
      ...(curl === undefined ? [] : [`Curl: ${curl}`]),
    ]),
    `Expected: ${expected}`,
    `Received: ${received}`,
    ...(replay === undefined ? [] : [`Replay: ${replay}`]),
  ];
  if (!fails)
    return renderElement('system-out', {}, ['Recommended, not failed.', ...lines].join('\n'));
  const message = `expected ${expected}, received ${received}`;
  return renderElement('failure', { message, type: requirement.family }, lines.join('\n'));
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** An element of XML 1.0, escaped. Attributes that are undefined are left out. */
export function renderElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: readonly string[] | string = [],
): string {
  const inside =
    typeof content === 'string'
      ? escapeXml(content)
      : content.map((child) => `\n${indent(child)}`).join('');
  const start = `<${name}${Object.entries(attributes).map(renderAttribute).join('')}`;
  if (inside === '') return `${start}/>`;
  return `${start}>${inside}${typeof content === 'string' ? '' : '\n'}</${name}>`;
}

function renderAttribute([name, value]: readonly [string, string | number | undefined]): string {
  return value === undefined
    ? ''
    : ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
}

/** Moves an element to the right by the lines that begin one: text within it stays as it is. */
function indent(element: string): string {
  return element
    .split('\n')
    .map((line) => (line.trimStart().startsWith('<') ? `  ${line}` : line))
    .join('\n');
}

/** Markup is escaped, and characters that XML 1.0 does not allow (section 2.2) shown as escapes. */
export function escapeXml(text: string): string {
  return showText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
