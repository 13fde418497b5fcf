import type { Contract } from '../../contract/contract.ts';
import { once } from '../../contract/memo/once.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import { isBodyOpen } from '../../contract/openapi/open-question.ts';
import { sentSchema } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { sectionOf } from '../../contract/source/node.ts';
import { listAuthRequirements, listKeyRequirements } from './auth.ts';
import {
  listBodyRequirements,
  listErrorRequirements,
  listUnreachableRequirements,
} from './body.ts';
import { listConcurrencyRequirements } from './concurrency.ts';
import { listHeaderRequirements } from './header.ts';
import { listParameterRequirements } from './parameter.ts';
import { listRateLimitRequirements } from './rate-limit.ts';
import type { IsWhole } from './body-facet.ts';
import { listRequestRequirements } from './request.ts';
import {
  type Drafts,
  draftsOf,
  maxRequirements,
  type Requirement,
  type Requirements,
  renderRequirementId,
} from '../judge/trace/requirement.ts';
import { listRobustnessRequirements } from './robustness.ts';
import { listStateRequirements } from './state.ts';
import { listSingleState } from './state/single-resource.ts';
import { listStatusRequirements } from './status.ts';

const derived = once((contract: Contract) => {
  const merged = new Set<string>();
  const found = new Map<string, Requirement>();
  const sections = new Map<string, string>();
  const { operations, resources } = contract;
  const wide = new Set(
    operations.filter(
      (each) => isWide(memberContent(each)?.schema) || isWide(sentSchema(resources, each)),
    ),
  );
  const isFull = (): boolean => found.size >= maxRequirements;
  const isWhole: IsWhole = (operation, direction) => {
    const is = isFull() || (direction === 'request' && wide.has(operation));
    if (is) merged.add(operation.id);
    return is;
  };
  for (const draft of listDrafts(contract, isWhole)) {
    const { operation, subject, pointer } = draft;
    if ('member' in subject && isFull()) {
      merged.add(operation);
      continue;
    }
    const id = renderRequirementId(operation, subject);
    const section = sections.get(pointer) ?? sectionOf(contract.document, pointer);
    sections.set(pointer, section);
    found.set(id, { ...draft, id, family: subject.kind, section });
  }
  return { found, merged };
});

/** Every requirement of a contract, by its id, in the order of reports. */
export function requirementsOf(contract: Contract): Requirements {
  return derived(contract).found;
}

/** The ids of operations whose requirements of single members are left out, because there are too many. */
export function mergedOperations(contract: Contract): ReadonlySet<string> {
  return derived(contract).merged;
}

/** Most members of a request body that are tested one by one. */
const maxTestedMembers = 250;

/** Whether a body has so many members that it is tested as a whole. */
export function isWide(node: SchemaNode | undefined): boolean {
  return (node?.shape().properties.size ?? 0) > maxTestedMembers;
}

export const listRequirements = once((contract: Contract): readonly Requirement[] => [
  ...requirementsOf(contract).values(),
]);

export const requirementsByOperation = once(
  (contract: Contract): ReadonlyMap<string, readonly Requirement[]> =>
    Map.groupBy(listRequirements(contract), ({ operation }) => operation),
);

function* listDrafts(contract: Contract, isWhole: IsWhole): Drafts {
  const { operations, resources, openQuestions } = contract;
  for (const operation of operations) {
    yield* listStatusRequirements(operation, resources);
    for (const response of operation.responses) {
      if (!isBodyOpen(openQuestions, response.pointer))
        yield* listBodyRequirements(operation, response, contract, isWhole);
      yield* listHeaderRequirements(operation, response, contract);
    }
    yield* listRequestRequirements(operation, resources, isWhole);
    for (const parameter of operation.parameters)
      yield* listParameterRequirements(operation, parameter, resources);
    yield* listAuthRequirements(operation);
    yield* listRobustnessRequirements(operation);
  }
  for (const resource of resources) {
    yield* listStateRequirements(resource, contract);
    yield* listConcurrencyRequirements(resource);
  }
  yield* listSingleState(contract);
  yield* listKeyRequirements(operations);
  yield* listUnreachableRequirements(operations, contract);
  yield* listErrorRequirements(contract);
  yield* listRateLimitRequirements(contract.rateLimit);
  // An open question requires nothing: its requirement only records the choice.
  for (const { id, question, at } of openQuestions)
    yield draftsOf({ id: '*', pointer: at })({ kind: 'open', question: id }, question, at, 'open');
}
