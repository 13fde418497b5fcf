import type {
  Contract,
  OpenQuestion,
  Operation,
  Parameter,
  Resource,
} from '../../../contract/index.ts';
import type { Request } from '../../transport/session.ts';
import type { Run } from '../probe.ts';

/** One way to ask an open question. */
export interface Trial {
  readonly way: string;
  readonly operation: Operation;
  readonly rank: number;
  /** Requirements that it can prove besides. */
  readonly proves?: readonly string[];
  /** It may write, whatever the operation does. */
  readonly writes?: true;
  readonly request: (run: Run) => Omit<Request, 'intent' | 'operation'>;
  /** Asks for less where that is refused. */
  readonly milder?: (run: Run) => Omit<Request, 'intent' | 'operation'>;
}

/** The ways to ask a question of one kind. */
export type TrialList = (question: OpenQuestion, contract: Contract) => readonly Trial[];

/** Trials for each create operation. */
export function forCreates(
  trials: (create: Operation, resource: Resource, question: OpenQuestion) => readonly Trial[],
): TrialList {
  return (question, { resources }) =>
    resources.flatMap((resource) =>
      resource.create === undefined ? [] : trials(resource.create, resource, question),
    );
}

/** Trials for the first list of the contract. */
export function forLists(
  trials: (list: Operation, contract: Contract) => readonly Trial[],
): TrialList {
  return (_question, contract) =>
    contract.resources.slice(0, 1).flatMap(({ list }) => trials(list, contract));
}

/** Trials for the parameter that a question is about. */
export function forParameter(
  trials: (parameter: Parameter, operation: Operation) => readonly Trial[],
): TrialList {
  return (question, { operations }) => {
    for (const operation of operations) {
      const parameter = operation.parameters.find((each) => each.pointer === question.at);
      if (parameter !== undefined) return trials(parameter, operation);
    }
    return [];
  };
}
