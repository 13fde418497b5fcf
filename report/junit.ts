import { type Report, type Verdict, isFailure } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { showText } from '../page/view/visible.ts';
import { causesIn } from './cause/causes.ts';
import { describeRequest } from './model/exchange-line.ts';
import { listFailures, type FailureView } from './model/failure.ts';
import { nameOperation } from './model/matrix.ts';
import { describeVerdict, describeWaiver, listLeftOut, listWaiverFaults } from './model/summary.ts';

interface Suite {
  readonly name: string;
  readonly milliseconds: number;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  /** An XML element of the case; undefined if there is none. */
  readonly result: Result | undefined;
}

interface Result {
  readonly element: 'failure' | 'error' | 'skipped' | 'system-out';
  readonly message?: string;
  readonly type?: string;
  readonly text?: string;
}

/**
 * A report in the JUnit format that CI servers read: a suite per operation, a case per requirement.
 * A failed requirement is a failure; an untested one is skipped with its reason; open questions and
 * recommendations are in the output of passed cases. An inconclusive run adds a case with an error,
 * and waivers that fail the run add a case with a failure. Contains no key.
 *
 * @param reportFile path of the `report.json` to which replay lines refer, if there is one
 */
export function renderJunit(report: Report, contract: Contract, reportFile?: string): string {
  const { run, verdicts, exchanges } = report;
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
  const suites = listSuitesOfRun(report);
  for (const [operation, own] of Map.groupBy(verdicts, (each) => each.requirement.operation)) {
    const sent = exchanges.filter(({ request }) => request.operation === operation);
    suites.push({
      name: nameOperation(operation),
      milliseconds: sent.reduce((sum, { sentAt, endedAt }) => sum + endedAt - sentAt, 0),
      cases: own.map((verdict) => {
        const { id } = verdict.requirement;
        return { name: id, result: resultOf(verdict, failures.get(id), causes.get(id)) };
      }),
    });
  }
  const root = {
    name: `${report.contract.title} ${report.contract.version}`,
    ...countResults(suites.flatMap(({ cases }) => cases)),
    time: seconds(run.milliseconds),
  };
  const timestamp = run.startedAt.replace(/\.\d*/, '');
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${renderAttributes(root)}>`,
    ...suites.flatMap((suite) => renderSuite(suite, timestamp)),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

/** Problems of the run as a whole, each as a suite of one case. */
function listSuitesOfRun(report: Report): Suite[] {
  const suites: Suite[] = [];
  const add = (name: string, of: string, result: Result, milliseconds = 0): void => {
    suites.push({ name, milliseconds, cases: [{ name: of, result }] });
  };
  // If all cases were skipped, CI servers would show success.
  if (report.outcome === 'inconclusive') {
    const message = describeVerdict(report);
    const error = { element: 'error', message, type: 'inconclusive', text: message } as const;
    add('the run', 'is conclusive', error, report.run.milliseconds);
  }
  const faults = listWaiverFaults(report);
  if (faults.length > 0) {
    const [message, text] = [faults.join('; '), faults.join('\n')];
    const failure = { element: 'failure', message, type: 'waiver', text } as const;
    add('the waivers', 'are in force and necessary', failure);
  }
  const unread = listLeftOut(report);
  if (unread !== undefined) {
    const { sentence, items, more } = unread;
    const message = [sentence, ...items, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
    add('the document', 'is read completely', { element: 'skipped', message });
  }
  return suites;
}

function resultOf(
  verdict: Verdict,
  failure: FailureView | undefined,
  cause: string | undefined,
): Result | undefined {
  switch (verdict.kind) {
    case 'passed':
      return undefined;
    case 'waived':
      return { element: 'skipped', message: `waived: ${describeWaiver(verdict.waiver)}` };
    case 'not-tested':
      return verdict.requirement.level === 'open'
        ? { element: 'system-out', text: `not tested: ${verdict.reason}` }
        : { element: 'skipped', message: verdict.reason };
    case 'open': {
      const lines = verdict.observations.map(
        ({ choices, evidence }) => `${choices.join(' or ') || 'something else'}: ${evidence}`,
      );
      return { element: 'system-out', text: lines.join('\n') };
    }
    case 'failed': {
      if (failure === undefined) return undefined;
      const { requirement, expected, received } = failure;
      const text = describeFailure(failure, cause);
      const message = `expected ${expected}, received ${received}`;
      return isFailure(verdict)
        ? { element: 'failure', message, type: requirement.family, text }
        : { element: 'system-out', text: `Recommended, not failed.\n${text}` };
    }
  }
}

function describeFailure(
  { requirement, source, expected, received, steps, replay }: FailureView,
  cause: string | undefined,
): string {
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
  return lines.join('\n');
}

function countResults(cases: readonly Case[]) {
  const count = (element: Result['element']): number =>
    cases.filter(({ result }) => result?.element === element).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

/** Cases have no duration, because many requirements are judged from one response. */
function renderSuite({ name, milliseconds, cases }: Suite, timestamp: string): readonly string[] {
  const head = { name, ...countResults(cases), time: seconds(milliseconds), timestamp };
  const lines = cases.flatMap(({ name: own, result }) => {
    const facts = renderAttributes({ classname: name, name: own, time: seconds(0) });
    if (result === undefined) return `    <testcase${facts}/>`;
    const { element, text, ...about } = result;
    const end = text === undefined ? '/>' : `>${escapeXml(text)}</${element}>`;
    const inner = `      <${element}${renderAttributes(about)}${end}`;
    return [`    <testcase${facts}>`, inner, '    </testcase>'];
  });
  return [`  <testsuite${renderAttributes(head)}>`, ...lines, '  </testsuite>'];
}

function renderAttributes(attributes: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(attributes).map(([name, value]) => {
    const text = escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
    return ` ${name}="${text}"`;
  });
  return parts.join('');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Escapes markup, and characters that XML 1.0 does not allow (section 2.2). */
function escapeXml(text: string): string {
  return showText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
