import type { JsonObject } from '../../contract/json/value.ts';
import type {
  Choice,
  OpenQuestion,
  OpenQuestionKind,
} from '../../contract/openapi/open-question.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { Observation } from '../judge/trace/finding.ts';
import type { Reading, Trace } from '../judge/trace/trace.ts';
import { describeResponse } from '../judge/trace/words.ts';
import type { Run } from '../probes/probe.ts';
import { validBody } from '../probes/requests.ts';
import type { Request } from '../transport/session.ts';

/** How the questions of one kind are asked and how the responses are read. */
export interface QuestionKind {
  /** The requests that ask it; undefined where requests that are sent anyway show it. */
  readonly trials?: (question: OpenQuestion, contract: Contract) => readonly Trial[];
  /** What the exchanges of a run show; undefined where no exchange can. */
  readonly observe?: Observe;
  readonly whyNotAsked?: string;
}

export type QuestionKinds = Readonly<Partial<Record<OpenQuestionKind, QuestionKind>>>;

export interface Ask {
  readonly way: string;
  readonly rank: number;
  /** Default: the one that the question is about. */
  readonly operation?: Operation;
  /** Requirements that it can prove besides. */
  readonly proves?: readonly string[];
  /** It may write, whatever the operation does. */
  readonly writes?: true;
  readonly request: (run: Run) => Omit<Request, 'intent' | 'operation'>;
  /** Asks for less where that is refused. */
  readonly milder?: (run: Run) => Omit<Request, 'intent' | 'operation'>;
}

export type Trial = Ask & { readonly operation: Operation };

type TrialList = NonNullable<QuestionKind['trials']>;

/**
 * Yields an observation for each exchange, or each group of exchanges, that bears on a question,
 * with the ids of all choices under which a server may respond like that. A choice is observed
 * where every observation has it. Ids that the question does not list are left out by the caller.
 * `trace` is without the responses of operations that answer 403 to every request; `whole` has them.
 */
export type Observe = (question: OpenQuestion, trace: Trace, whole: Trace) => Iterable<Observation>;

/** Trials for each create operation. `valid` makes a body that it accepts. */
export function forCreates(
  ask: (
    valid: (run: Run) => JsonObject,
    question: OpenQuestion,
    create: Operation,
    resource: Resource,
  ) => readonly Ask[],
): TrialList {
  return (question, { resources }) =>
    resources.flatMap((resource) => {
      const { create } = resource;
      if (create === undefined) return [];
      const valid = (run: Run): JsonObject => validBody(create, resource, run);
      return ask(valid, question, create, resource).map((each) => ({ operation: create, ...each }));
    });
}

/** Trials for the first list of the contract. */
export function forLists(
  ask: (resource: Resource, contract: Contract, question: OpenQuestion) => readonly Ask[],
): TrialList {
  return (question, contract) =>
    contract.resources
      .slice(0, 1)
      .flatMap((resource) =>
        ask(resource, contract, question).map((each) => ({ operation: resource.list, ...each })),
      );
}

/** Trials for the parameter that a question is about. */
export function forParameter(ask: (parameter: Parameter) => readonly Ask[]): TrialList {
  return (question, { operations }) => {
    for (const operation of operations) {
      const parameter = operation.parameters.find((each) => each.pointer === question.at);
      if (parameter !== undefined) return ask(parameter).map((each) => ({ operation, ...each }));
    }
    return [];
  };
}

export function responsesTo(question: OpenQuestion, trace: Trace): readonly Reading[] {
  return [...trace.readings, ...trace.outside].filter(
    ({ exchange: { intent } }) => intent.kind === 'open' && intent.question === question.id,
  );
}

export function observation(
  { index }: Reading,
  choices: readonly string[],
  evidence: string,
): Observation {
  return { choices, exchange: index, evidence };
}

/**
 * Observes each response to the question's own requests by itself. `choicesOf` has the choices that
 * a response fits; undefined where it says nothing.
 */
export function observeResponses(
  choicesOf: (
    reading: Reading,
    trace: Trace,
    question: OpenQuestion,
  ) => readonly string[] | undefined,
): Observe {
  return function* observe(question, trace) {
    for (const reading of responsesTo(question, trace)) {
      const choices = choicesOf(reading, trace, question);
      if (choices !== undefined) yield observation(reading, choices, describeTrial(reading));
    }
  };
}

function describeTrial({ exchange, response }: Reading): string {
  const { intent, request } = exchange;
  const key = request.credential === 'missing' ? ' without a key' : '';
  const way = intent.kind === 'open' ? intent.way : '';
  const asked = way.startsWith('no key') ? way : `${way}${key}`;
  return `${asked}: received ${describeResponse(response)}`;
}

export function choicesWhere(
  { choices }: OpenQuestion,
  fits: (choice: Choice) => boolean,
): readonly string[] {
  return choices.filter(fits).map(({ id }) => id);
}

export function everyChoice(question: OpenQuestion): readonly string[] {
  return choicesWhere(question, () => true);
}

export function isServed({ response }: Reading): boolean {
  return response.status >= 200 && response.status < 300;
}

/** It was refused with a status, in the error shape where the document has one. */
export function isRefused(
  { response, json }: Reading,
  { contract }: Trace,
  status: number,
): boolean {
  if (response.status !== status || contract.error === undefined) return response.status === status;
  const judgement = json === undefined ? undefined : contract.error.schema.judge(json);
  return judgement?.issues.length === 0 && judgement.undecided === undefined;
}

/** The choice of the status that a request was refused with; none for any other response. */
export function refusedAs(
  reading: Reading,
  trace: Trace,
  choices: Readonly<Record<number, string>>,
): readonly string[] {
  const choice = choices[reading.status];
  return choice !== undefined && isRefused(reading, trace, reading.status) ? [choice] : [];
}
