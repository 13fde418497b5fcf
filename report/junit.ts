import type { Contract } from '../contract/index.ts';
import { type Report, type Verdict, countVerdicts, isFailure } from '../conformance/index.ts';
import { describeRequest } from './model/exchange-line.ts';
import { nameOperation } from './model/matrix.ts';
import { listFailures, type FailureView } from './model/failure.ts';
import { describeWaiver, listLeftOut, listWaiverFaults, summarise } from './model/summary.ts';
import { renderElement } from './xml.ts';

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
  const suites = Map.groupBy(report.verdicts, ({ requirement }) => requirement.operation);
  const facts = {
    name: `${report.contract.title} ${report.contract.version}`,
    ...count(report.verdicts, report),
    time: seconds(report.run.milliseconds),
  };
  const root = renderElement('testsuites', facts, [
    ...renderInconclusive(report),
    ...renderWaivers(report),
    ...renderLeftOut(report),
    ...[...suites].map(([operation, verdicts]) =>
      renderSuite(operation, verdicts, report, failures),
    ),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

type Failures = ReadonlyMap<string, FailureView>;

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

/** Skipped cases alone would look like a run in which all is well. */
function renderInconclusive(report: Report): readonly string[] {
  if (report.outcome !== 'inconclusive') return [];
  const name = 'the run';
  const time = seconds(report.run.milliseconds);
  const facts = {
    name,
    tests: 1,
    failures: 0,
    errors: 1,
    skipped: 0,
    time,
    timestamp: timestampOf(report),
  };
  const message = summarise(report).sentence;
  const error = renderElement('error', { message, type: 'inconclusive' }, message);
  const conclusive = renderElement('testcase', { classname: name, name: 'is conclusive', time }, [
    error,
  ]);
  return [renderElement('testsuite', facts, [conclusive])];
}

/** Waivers that are out of date or needless fail a run in which no requirement does. */
function renderWaivers(report: Report): readonly string[] {
  const faults = listWaiverFaults(report);
  if (faults.length === 0) return [];
  const name = 'the waivers';
  const facts = { name, tests: 1, failures: 1, errors: 0, skipped: 0, time: seconds(0) };
  const failure = renderElement(
    'failure',
    { message: faults.join('; '), type: 'waiver' },
    faults.join('\n'),
  );
  const one = { classname: name, name: 'are in force and necessary', time: seconds(0) };
  return [
    renderElement('testsuite', { ...facts, timestamp: timestampOf(report) }, [
      renderElement('testcase', one, [failure]),
    ]),
  ];
}

/** What of the document was not read is not tested. */
function renderLeftOut(report: Report): readonly string[] {
  const lines = listLeftOut(report);
  if (lines.length === 0) return [];
  const name = 'the document';
  const facts = { name, tests: 1, failures: 0, errors: 0, skipped: 1, time: seconds(0) };
  const skipped = renderElement('skipped', { message: lines.join('; ') });
  const one = { classname: name, name: 'is read completely', time: seconds(0) };
  return [
    renderElement('testsuite', { ...facts, timestamp: timestampOf(report) }, [
      renderElement('testcase', one, [skipped]),
    ]),
  ];
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
  const { requirement } = verdict;
  return renderElement(
    'testcase',
    { classname: nameOperation(requirement.operation), name: requirement.id, time: seconds(0) },
    renderResult(verdict, failures.get(requirement.id)),
  );
}

function renderResult(verdict: Verdict, failure: FailureView | undefined): readonly string[] {
  switch (verdict.kind) {
    case 'not-tested':
      return verdict.requirement.level === 'open'
        ? [renderElement('system-out', {}, `not tested: ${verdict.reason}`)]
        : [renderElement('skipped', { message: verdict.reason })];
    case 'waived': {
      const message = `waived: ${describeWaiver(verdict.waiver)}`;
      return [renderElement('skipped', { message })];
    }
    case 'open': {
      const lines = verdict.observations.map(
        ({ choices, evidence }) => `${choices.join(' or ') || 'something else'}: ${evidence}`,
      );
      return [renderElement('system-out', {}, lines.join('\n'))];
    }
    case 'passed':
      return [];
    case 'failed':
      return failure === undefined ? [] : [renderFailure(failure, isFailure(verdict))];
  }
}

/** A failure, or advice in the output of a case that passes. */
function renderFailure(failure: FailureView, fails: boolean): string {
  const { requirement, source, expected, received, steps, replay } = failure;
  const lines = [
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
