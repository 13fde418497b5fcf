import type { Contract } from '../contract/index.ts';
import { type Report, type Verdict, type Waiver, isFailure } from '../conformance/index.ts';
import { describeRequest } from './model/exchange-line.ts';
import { nameOperation } from './model/matrix.ts';
import { listFailures, type FailureView } from './model/failure.ts';
import { renderElement } from './xml.ts';

/**
 * A report in the JUnit form that CI servers read: a suite for each operation, a case for each
 * requirement. A failed requirement is a failure, one that was not tested is skipped with its reason;
 * what a target does where the contract is silent, and advice, is told in the output of a case that
 * passes. Holds no key.
 */
export function renderJunit(report: Report, contract: Contract): string {
  const failures = new Map(
    [...listFailures('failed', report, contract), ...listFailures('advised', report, contract)].map(
      (failure) => [failure.requirement.id, failure],
    ),
  );
  const operations = [...new Set(report.verdicts.map(({ requirement }) => requirement.operation))];
  const suites = operations.map((operation) => renderSuite(operation, report, failures));
  const root = renderElement(
    'testsuites',
    {
      name: `${report.contract.title} ${report.contract.version}`,
      ...count(report.verdicts),
      time: seconds(report.run.milliseconds),
    },
    suites,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function renderSuite(
  operation: string,
  report: Report,
  failures: ReadonlyMap<string, FailureView>,
): string {
  const verdicts = report.verdicts.filter(({ requirement }) => requirement.operation === operation);
  const sent = report.exchanges.filter(({ request }) => request.operation === operation);
  const time = sent.reduce((sum, { sentAt, endedAt }) => sum + endedAt - sentAt, 0);
  const facts = {
    name: nameOperation(operation),
    ...count(verdicts),
    time: seconds(time),
    timestamp: report.run.startedAt.replace(/\..*$/, ''),
  };
  return renderElement(
    'testsuite',
    facts,
    verdicts.map((verdict) => renderCase(verdict, failures)),
  );
}

function count(
  verdicts: readonly Verdict[],
): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const skipped = verdicts.filter(({ kind }) => kind === 'not-tested' || kind === 'waived').length;
  return {
    tests: verdicts.length,
    failures: verdicts.filter(isFailure).length,
    errors: 0,
    skipped,
  };
}

/** Single requirements take no time of their own: many are judged from one response. */
function renderCase(verdict: Verdict, failures: ReadonlyMap<string, FailureView>): string {
  const { requirement } = verdict;
  return renderElement(
    'testcase',
    { classname: nameOperation(requirement.operation), name: requirement.id, time: seconds(0) },
    renderResult(verdict, failures.get(requirement.id)),
  );
}

function renderResult(verdict: Verdict, failure: FailureView | undefined): readonly string[] {
  if (verdict.kind === 'not-tested') return [renderElement('skipped', { message: verdict.reason })];
  if (verdict.kind === 'waived')
    return [renderElement('skipped', { message: describeWaiver(verdict.waiver) })];
  if (verdict.kind === 'open')
    return [
      renderElement(
        'system-out',
        {},
        verdict.observations
          .map(({ choice, evidence }) => `${choice ?? 'something else'}: ${evidence}`)
          .join('\n'),
      ),
    ];
  if (verdict.kind === 'passed' || !failure) return [];
  if (!isFailure(verdict))
    return [renderElement('system-out', {}, `Advised, not failed.\n${renderFailure(failure)}`)];
  return [
    renderElement(
      'failure',
      {
        message: `expected ${failure.expected}, received ${failure.received}`,
        type: verdict.requirement.family,
      },
      renderFailure(failure),
    ),
  ];
}

function renderFailure({
  requirement,
  source,
  expected,
  received,
  steps,
  replay,
}: FailureView): string {
  const sent = steps.flatMap(({ exchange, curl }) => [
    `Sent: ${describeRequest(exchange.request)}`,
    ...(curl === undefined ? [] : [`Curl: ${curl}`]),
  ]);
  const lines = [
    `Required: ${requirement.sentence}`,
    `In: ${source}`,
    ...sent,
    `Expected: ${expected}`,
    `Received: ${received}`,
  ];
  return [...lines, ...(replay === undefined ? [] : [`Replay: ${replay}`])].join('\n');
}

function describeWaiver({ reason, owner, expires }: Waiver): string {
  return `waived: ${reason} (${owner}, until ${expires})`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
