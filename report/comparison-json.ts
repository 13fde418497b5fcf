import type { Contract } from '../contract/index.ts';
import type { Comparison, Report, Observation, Verdict } from '../conformance/index.ts';
import { viewFailure, type FailureStep } from './model/failure.ts';

/** `docs/diff.schema.json` describes it. Members are chosen one by one. Holds no key. */
export function renderJsonComparison(comparison: Comparison, contract: Contract): string {
  const { outcome, reports, failures, choices, oneSided, compared } = comparison;
  const document = {
    format: 'petstore-comparison/1',
    outcome,
    compared,
    contract: reports.a.contract,
    seed: reports.a.run.seed,
    a: renderRun(reports.a),
    b: renderRun(reports.b),
    failures: failures.map(
      ({ requirement: { id, level, sentence, pointer, section }, verdicts }) => ({
        requirement: id,
        level,
        sentence,
        pointer,
        section,
        a: renderSide(verdicts.a, reports.a, contract),
        b: renderSide(verdicts.b, reports.b, contract),
      }),
    ),
    choices: choices.map(({ question, requirement: { sentence }, observations }) => ({
      question,
      sentence,
      a: observations.a.map(renderObservation),
      b: observations.b.map(renderObservation),
    })),
    oneSided: oneSided.map(({ requirement: { id, level }, shownBy, reason }) => ({
      requirement: id,
      level,
      shownBy,
      reason,
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function renderRun({ target, run }: Report): Record<string, unknown> {
  const { tag, budget, requests, startedAt, milliseconds, endedEarly } = run;
  return {
    baseUrl: target.baseUrl,
    plan: target.plan ?? null,
    tag,
    budget,
    requests,
    startedAt,
    milliseconds,
    endedEarly: endedEarly ?? null,
  };
}

/** What one side did with a requirement that the other fails, or fails differently. */
function renderSide(verdict: Verdict, report: Report, contract: Contract): Record<string, unknown> {
  const [failure] = viewFailure(verdict, report, contract);
  if (failure) {
    const { expected, received, more, steps, replay } = failure;
    return {
      verdict: 'failed',
      expected,
      received,
      more,
      steps: steps.map(renderStep),
      replay: replay ?? null,
    };
  }
  return verdict.kind === 'not-tested'
    ? { verdict: 'not-tested', reason: verdict.reason }
    : { verdict: 'passed' };
}

function renderStep({
  exchange: { request, outcome },
  curl,
}: FailureStep): Record<string, unknown> {
  const { operation, method, target, credential, body } = request;
  return {
    operation,
    method,
    target,
    credential,
    body: body ?? null,
    status: outcome.kind === 'answered' ? outcome.response.status : null,
    curl,
  };
}

function renderObservation({ choice, evidence }: Observation): Record<string, unknown> {
  return { choice: choice ?? null, evidence };
}
