import type { Contract, OpenQuestion } from '../../../contract/index.ts';
import type { Finding } from '../trace/finding.ts';
import { additionsOf, type Addition } from '../trace/addition.ts';
import type { Reading, Trace } from '../trace/trace.ts';

/** What was seen of a question. `choice` counts only where the question has a choice of that id. */
export type Observed = Omit<Extract<Finding, { kind: 'open' }>, 'kind' | 'question'> & {
  /** It fits several choices, or none for sure: told as not clear, unless something else is. */
  readonly isUnclear?: true;
};

/** Reads from the responses of a run what the target does about a question. */
export type Reader = (question: OpenQuestion, trace: Trace) => Iterable<Observed>;

/** The responses to requests that were sent for a question. */
export function responsesTo(question: OpenQuestion, trace: Trace): readonly Reading[] {
  return [...trace.readings, ...trace.outside].filter(
    ({ exchange: { intent } }) => intent.kind === 'open' && intent.question === question.id,
  );
}

/** The property of a create operation's body whose schema stands where the question points. */
export function propertyAt(question: OpenQuestion, contract: Contract): string | undefined {
  return contract.resources
    .flatMap(({ create }) => [
      ...(create?.requestBody?.content[0]?.schema?.shape().properties.keys() ?? []),
    ])
    .find((name) => question.at.endsWith(`/properties/${name}`));
}

/** The items that the run added to any resource. */
export function listAdditions(trace: Trace): readonly Addition[] {
  return trace.contract.resources.flatMap((resource) => additionsOf(trace, resource));
}
