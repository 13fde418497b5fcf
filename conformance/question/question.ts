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
  /** The requests that ask it; undefined if other requests show it. */
  readonly trials?: (question: OpenQuestion, contract: Contract) => readonly Trial[];
  /** What the exchanges of a run show; undefined if none can. */
  readonly observe?: Observe;
  readonly whyNotAsked?: string;
}

export type QuestionKinds = Readonly<Partial<Record<OpenQuestionKind, QuestionKind>>>;

export interface Ask {
  readonly way: string;
  readonly rank: number;
  /** Default: the one that the question is about. */
  readonly operation?: Operation;
  /** Further requirements that it can prove. */
  readonly proves?: readonly string[];
  /** Whether it may write. Default: by the operation's method. */
  readonly writes?: true;
  readonly request: (run: Run) => Omit<Request, 'intent' | 'operation'>;
  /** A milder request to send if the first is refused. */
  readonly milder?: (run: Run) => Omit<Request, 'intent' | 'operation'>;
}

export type Trial = Ask & { readonly operation: Operation };

type TrialList = NonNullable<QuestionKind['trials']>;

/**
 * Yields an observation for each exchange, or group of exchanges, about a question, with the ids of
 * all choices that fit. A choice is observed if every observation has it. The caller drops ids that
 * the question does not list. `trace` lacks the responses of operations that return 403 to every
 * request; `whole` has them.
 */
export type Observe = (question: OpenQuestion, trace: Trace, whole: Trace) => Iterable<Observation>;

/** Trials for each create operation. `valid` makes an accepted body. */
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
 * Observes each response to the question's own requests. `choicesOf` returns the choices that fit a
 * response; undefined if it shows nothing.
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

/** Whether it was refused with a status, in the error shape if the document has one. */
export function isRefused(
  { response, json }: Reading,
  { contract }: Trace,
  status: number,
): boolean {
  if (response.status !== status || contract.error === undefined) return response.status === status;
  const judgement = json === undefined ? undefined : contract.error.schema.judge(json);
  return judgement?.isSound === true && judgement.undecided === undefined;
}

/** The choice for the status of a refusal; none for any other response. */
export function refusedAs(
  reading: Reading,
  trace: Trace,
  choices: Readonly<Record<number, string>>,
): readonly string[] {
  const choice = choices[reading.status];
  return choice !== undefined && isRefused(reading, trace, reading.status) ? [choice] : [];
}
