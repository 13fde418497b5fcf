import { requirementId } from '../judge/trace/requirement.ts';
import type { Contract } from '../../contract/contract.ts';
import type { OpenQuestion, OpenQuestionKind } from '../../contract/openapi/open-question.ts';
import { observed, unclear, type Finding, type Observation } from '../judge/trace/finding.ts';
import { forbiddenReadings } from '../judge/trace/refusal.ts';
import type { Trace } from '../judge/trace/trace.ts';
import { createProbe, type PlanContext, type Probe } from '../probes/probe.ts';
import type { Intent } from '../transport/exchange.ts';
import { bodyQuestions } from './bodies.ts';
import { listQuestions } from './lists.ts';
import { pathQuestions } from './paths.ts';
import { choicesWhere, type QuestionKind, type Trial } from './question.ts';
import { quotaQuestions } from './quota.ts';
import { responseQuestions } from './responses.ts';

/** How each kind of question is asked and its choices are observed. */
export const questionKinds: Readonly<Record<OpenQuestionKind, QuestionKind>> = {
  ...bodyQuestions,
  ...listQuestions,
  ...pathQuestions,
  ...quotaQuestions,
  ...responseQuestions,
  'ban-length': { whyNotAsked: 'not tested: this needs requests during a wait' },
  events: { whyNotAsked: 'not tested: events are not sent to the caller' },
  'plan-assignment': { whyNotAsked: 'not tested: this needs a second key' },
};

const unknownKind: QuestionKind = {
  whyNotAsked: 'not tested: the suite does not know questions of this kind',
};

export function kindOf({ kind }: OpenQuestion): QuestionKind {
  return kind === 'unknown' ? unknownKind : questionKinds[kind];
}

/** Requests about open questions. The responses are recorded; only a 5xx is a failure. */
export function listOpenQuestionProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.openQuestions.flatMap((question) => {
    const trials = kindOf(question).trials?.(question, contract) ?? [];
    return trials.map((trial) => openQuestionProbe(question, trial));
  });
}

function openQuestionProbe(
  question: OpenQuestion,
  { way, operation, rank, proves = [], writes, request, milder }: Trial,
): Probe {
  const intent: Intent = { kind: 'open', question: question.id, way };
  return createProbe(operation, `open: ${question.id}, ${way}`, {
    phase: 'open',
    rank,
    writes: writes ?? operation.method !== 'GET',
    proves: [requirementId.open(question.id), ...proves],
    run: async (run) => {
      const { outcome } = await run.session.send({ ...request(run), operation, intent });
      const isRefused = outcome.kind === 'answered' && outcome.response.status >= 400;
      if (isRefused && milder) await run.session.send({ ...milder(run), operation, intent });
    },
  });
}

/**
 * Observes the choices of a target in open questions. Never fails. If every choice fits, nothing is
 * observed.
 */
export function* observeOpen(trace: Trace): Generator<Finding> {
  const forbidden = forbiddenReadings(trace);
  const within = trace.only((each) => !forbidden.has(each));
  for (const question of trace.contract.openQuestions) {
    const seen = [...(kindOf(question).observe?.(question, within, trace) ?? [])];
    const observations = distinct(seen, trace).map((each) => ({
      ...each,
      choices: choicesWhere(question, ({ id }) => each.choices.includes(id)),
    }));
    const telling = observations.filter(({ choices }) => choices.length < question.choices.length);
    for (const each of telling) yield observed(question.id, each);
    const [vague] = observations;
    if (telling.length > 0 || vague === undefined) continue;
    const reason = `every choice fits: ${vague.evidence}`;
    yield unclear(requirementId.open(question.id), vague.exchange, reason);
  }
}

/** Drops observations of ordinary requests that repeat an earlier one. */
function distinct(
  observations: readonly Observation[],
  { exchanges }: Trace,
): readonly Observation[] {
  const known = new Set<string>();
  const byIndex = new Map(exchanges.map((each) => [each.index, each]));
  return observations.filter(({ choices, evidence, exchange }) => {
    const key = `${choices.join()}: ${evidence}`;
    const isKnown = known.has(key);
    known.add(key);
    return !isKnown || byIndex.get(exchange)?.intent.kind === 'open';
  });
}

/** Why no exchange of a run can answer a question; undefined if one can. */
export function whyNotAsked(id: string, { openQuestions }: Contract): string | undefined {
  const question = openQuestions.find((each) => requirementId.open(each.id) === id);
  return question && kindOf(question).whyNotAsked;
}
