import { type Family, requirementId } from '../../contract/requirement/requirement.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import { limitEdges } from '../generate/valid-body.ts';
import { observeOpen } from '../question/index.ts';
import { judgeBody } from './body.ts';
import { judgeUncut, judgeUncutLimit } from './cut/uncut.ts';
import { judgeHeader } from './header.ts';
import { judgeParameter } from './parameter.ts';
import { judgeRateLimit } from './rate-limit.ts';
import { judgeRobustness } from './robustness.ts';
import { judgeState } from './state.ts';
import { judgeHeld } from './state/held.ts';
import { collectionsOf, type Collection } from './trace/collection.ts';
import { type Finding, withoutIncomplete, failed, passed, unclear } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the exchanges of a run by the intents that they carry. Pure: works on a log as well. */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/** Who judges the requirements of each family. */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  status: judgeStatus,
  body: judgeBody,
  header: judgeHeader,
  request: judgeRequest,
  parameter: (trace) => judgeUncut(judgeParameter(trace), trace),
  state: (trace) => judgeUncut(judgeState(trace), trace),
  auth: judgeAuth,
  'rate-limit': (trace) => judgeUncutLimit(judgeRateLimit(trace), trace),
  concurrency: (trace) => judgeUncut(judgeConcurrency(trace), trace),
  robustness: judgeRobustness,
  open: (trace) => judgeUncut(observeOpen(trace), trace),
};

/**
 * Judges requests without the right key: each gets 401. A key that is nearly right shows that keys
 * are compared exactly and, refused, that a wrong one is not taken.
 */
function judgeAuth(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'auth');
}

/**
 * Judges the statuses of valid requests: success, and 404 for what is not there. What was removed
 * is judged by `state`.
 */
function judgeStatus(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'status');
}

/**
 * Judges what is taken as the body of a request: one that breaks its schema in one way is refused,
 * one that keeps it is not.
 */
function judgeRequest(trace: Trace): Iterable<Finding> {
  return withoutIncomplete(judgeIntents(trace, 'request'), (id) => lacksEdge(id, trace));
}

/** Whether a member whose values have to be accepted has a limit at whose end none was. */
function lacksEdge(id: string, { contract, readings }: Trace): boolean {
  const { subject, operation: wanted } = contract.requirementOf(id) ?? {};
  if (subject?.kind !== 'request' || subject.facet !== 'taken') return false;
  const [name = ''] = subject.path;
  const operation = contract.operations.find((each) => each.id === wanted);
  const schema = jsonContent(operation?.requestBody?.content ?? [])?.schema;
  const member = schema?.shape().properties.get(name);
  // What is accepted of it is an open question.
  const isOpen = contract.openQuestions.some((question) => openMember(question) === name);
  if (member === undefined || isOpen) return false;
  const accepted = readings.flatMap(({ operation: { id: of }, succeeded, sent }) => {
    const value = of === wanted && succeeded && isJsonObject(sent) ? sent[name] : undefined;
    return value === undefined ? [] : [value];
  });
  return limitEdges(member).some(({ isShownBy }) => !accepted.some(isShownBy));
}

/** Judges additions that were sent at the same time: all stored, under different identifiers. */
function* judgeConcurrency(trace: Trace): Generator<Finding> {
  yield* judgeIntents(trace, 'concurrency');
  for (const collection of collectionsOf(trace)) {
    const { create } = collection.resource;
    yield* judgeHeld(collection, requirementId.concurrency(create?.id ?? '', 'stored'), true);
    yield* judgeUnique(collection);
  }
}

/** Says nothing where identifiers are repeated one after another too: that is no race. */
function* judgeUnique({ resource, additions, owners }: Collection): Generator<Finding> {
  const id = requirementId.concurrency(resource.create?.id ?? '', 'unique');
  const repeated = [...owners()].find(([, owner]) => owner !== undefined)?.[0];
  if (repeated !== undefined) {
    const reason = `${repeated.answered.id} again, one after another too`;
    yield unclear(id, repeated.reading.index, reason);
    return;
  }
  const parallel = additions.filter(({ reading }) => !reading.isAlone);
  for (const addition of parallel) {
    const { index, exchange } = addition.reading;
    const twin = parallel.find(
      (each) =>
        each !== addition &&
        each.answered.id === addition.answered.id &&
        each.reading.exchange.group === exchange.group,
    );
    if (twin !== undefined) {
      const expected = 'different identifiers for items added at the same time';
      yield failed(id, index, expected, `${addition.answered.id} twice`, [twin.reading.index]);
    } else yield passed(id, index);
  }
}
