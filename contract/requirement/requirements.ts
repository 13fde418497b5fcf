import { sectionOf } from '../source/section.ts';
import type { JsonObject } from '../json/value.ts';
import type { ErrorShape } from '../openapi/error-shape.ts';
import { isBodyOpen, type OpenQuestion } from '../openapi/open-question.ts';
import type { Operation } from '../openapi/operation.ts';
import type { RateLimitPolicy } from '../openapi/rate-limit.ts';
import type { Resource } from '../resource/resource.ts';
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
import { listRequestRequirements } from './request.ts';
import {
  type Drafts,
  type Requirement,
  type RequirementDraft,
  renderRequirementId,
} from './requirement.ts';
import { listRobustnessRequirements } from './robustness.ts';
import {
  listChangeState,
  listCreateState,
  listGetState,
  listListState,
  listRemoveState,
} from './state.ts';
import { listStatusRequirements } from './status.ts';

/** The parts of a contract that its requirements are computed from. */
interface ContractParts {
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly error: ErrorShape | undefined;
  readonly rateLimit: RateLimitPolicy | undefined;
  readonly openQuestions: readonly OpenQuestion[];
}

/** Every requirement of a contract, in the order of reports; ids are unique. */
export function compileRequirements(parts: ContractParts): readonly Requirement[] {
  const drafts = [
    ...parts.operations.flatMap((operation) => [...listOfOperation(operation, parts)]),
    ...parts.resources.flatMap((resource) => [...listOfResource(resource)]),
    ...listKeyRequirements(parts.operations),
    ...listUnreachableRequirements(parts.operations, parts),
    ...listErrorRequirements(
      parts.error,
      parts.openQuestions.length > 0 || parts.error?.isShared === true,
    ),
    ...listRateLimitRequirements(parts.rateLimit),
    ...parts.openQuestions.map(openRequirement),
  ];
  const requirements = drafts.map((draft) => complete(draft, parts.document));
  return [...new Map(requirements.map((requirement) => [requirement.id, requirement])).values()];
}

function complete(draft: RequirementDraft, document: JsonObject): Requirement {
  return {
    ...draft,
    id: renderRequirementId(draft.operation, draft.subject),
    family: draft.subject.kind,
    level: draft.level ?? 'must',
    section: sectionOf(document, draft.pointer),
  };
}

function* listOfOperation(operation: Operation, parts: ContractParts): Drafts {
  const { resources, openQuestions } = parts;
  yield* listStatusRequirements(operation, resources);
  for (const response of operation.responses) {
    if (!isBodyOpen(openQuestions, response.pointer))
      yield* listBodyRequirements(operation, response, parts);
    yield* listHeaderRequirements(operation, response, parts);
  }
  yield* listRequestRequirements(operation, isOfResource(operation, resources));
  for (const parameter of operation.parameters)
    yield* listParameterRequirements(operation, parameter, resources);
  yield* listAuthRequirements(operation);
  yield* listRobustnessRequirements(operation);
}

/** What it does to the items of a resource is known. */
function isOfResource({ id }: Operation, resources: readonly Resource[]): boolean {
  return resources.some(({ list, create, get, replace, update, remove }) =>
    [list, create, get, replace, update, remove].some((operation) => operation?.id === id),
  );
}

function* listOfResource(resource: Resource): Drafts {
  yield* listListState(resource);
  yield* listCreateState(resource);
  yield* listConcurrencyRequirements(resource);
  yield* listGetState(resource);
  yield* listChangeState(resource);
  yield* listRemoveState(resource);
}

/** An open question is asked, never required: its requirement only records the choice. */
function openRequirement({ id, question, at }: OpenQuestion): RequirementDraft {
  const subject = { kind: 'open', question: id } as const;
  return { operation: '*', subject, level: 'open', sentence: question, pointer: at };
}
