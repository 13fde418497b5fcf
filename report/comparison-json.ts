import type { Contract } from '../contract/contract.ts';
import type { Comparison, Report, Observation, Verdict } from '../conformance/index.ts';
import { showJson } from '../page/view/visible.ts';
import { soleChoice } from './json.ts';
import { viewFailure, type FailureStep } from './model/failure.ts';

/** `docs/diff.schema.json` describes it. Members are chosen one by one. Holds no key. */
export function renderJsonComparison(comparison: Comparison, contract: Contract): string {
  const { reports, failures, choices, responses, oneSided } = comparison;
  const document = {
    format: 'petstore-comparison/1',
    ...pick(comparison, ['outcome', 'compared']),
    contract: reports.a.contract,
    seed: reports.a.run.seed,
    a: renderRun(reports.a),
    b: renderRun(reports.b),
    failures: failures.map(({ requirement, verdicts }) => ({
      requirement: requirement.id,
      ...pick(requirement, ['level', 'sentence', 'pointer', 'section']),
      a: renderSide(verdicts.a, reports.a, contract),
      b: renderSide(verdicts.b, reports.b, contract),
    })),
    choices: choices.map(({ question, requirement, observations }) => ({
      question,
      ...pick(requirement, ['sentence']),
      a: observations.a.map(renderObservation),
      b: observations.b.map(renderObservation),
    })),
    responses: responses.map(({ requirement, member, shown, exchanges }) => ({
      requirement: requirement.id,
      member: member ?? null,
      a: { shown: shown.a, exchange: exchanges.a },
      b: { shown: shown.b, exchange: exchanges.b },
    })),
    oneSided: oneSided.map((each) => ({
      requirement: each.requirement.id,
      ...pick(each.requirement, ['level']),
      ...pick(each, ['shownBy', 'reason']),
    })),
  };
  return `${showJson(document, 2)}\n`;
}

/** Members of an object, in the order of their names; null for what is undefined. */
function pick<T extends object>(value: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}

function renderRun({ target, run }: Report): object {
  return {
    ...pick(target, ['baseUrl', 'plan']),
    ...pick(run, ['tag', 'budget', 'requests', 'startedAt', 'milliseconds', 'endedEarly']),
  };
}

/** What one side did with a requirement that the other fails, or fails differently. */
function renderSide(verdict: Verdict, report: Report, contract: Contract): object {
  const [failure] = viewFailure(verdict, report, contract);
  if (failure)
    return {
      verdict: 'failed',
      ...pick(failure, ['expected', 'received', 'more']),
      steps: failure.steps.map(renderStep),
      ...pick(failure, ['replay']),
    };
  return verdict.kind === 'not-tested'
    ? { verdict: 'not-tested', reason: verdict.reason }
    : { verdict: 'passed' };
}

function renderStep({ exchange: { request, outcome }, curl }: FailureStep): object {
  return {
    ...pick(request, ['operation', 'method', 'target', 'credential', 'body']),
    status: outcome.kind === 'answered' ? outcome.response.status : null,
    curl,
  };
}

function renderObservation(observation: Observation): object {
  return { choice: soleChoice(observation), ...pick(observation, ['choices', 'evidence']) };
}
