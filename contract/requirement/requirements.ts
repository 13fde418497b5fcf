import type { ErrorShape } from '../openapi/error-shape.ts';
import type { OpenQuestion } from '../openapi/open-question.ts';
import type { RateLimitPolicy } from '../openapi/rate-limit.ts';
import type { MediaType } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import type { Resource } from '../resource/resource.ts';
import type { ResponseContract } from '../openapi/response.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { renderJson } from '../json/value.ts';
import type { RequirementDraft, Requirement } from './requirement.ts';
import { listBodyFacets } from './body.ts';
import { requirementId } from './requirement.ts';
import { listStateRequirements } from './state.ts';
import { sectionOf } from '../document/section.ts';

/** The parts of a contract that its requirements are computed from. */
export interface ContractParts {
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly error: ErrorShape | undefined;
  readonly rateLimit: RateLimitPolicy | undefined;
  readonly openQuestions: readonly OpenQuestion[];
}

/**
 * Computes every requirement of a contract: family by place in the document. The order is that of
 * reports; ids are unique.
 */
export function compileRequirements(parts: ContractParts): readonly Requirement[] {
  const requirements = [
    ...parts.operations.flatMap((operation) => [...listOperationRequirements(operation, parts)]),
    ...parts.resources.flatMap((resource) => [...listStateRequirements(resource)]),
    ...listServiceRequirements(parts),
    ...listOpenRequirements(parts),
  ];
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  return [...byId.values()].map((requirement) => complete(requirement, parts.document));
}

function complete(requirement: RequirementDraft, document: JsonObject): Requirement {
  return {
    ...requirement,
    level: requirement.level ?? 'must',
    section: sectionOf(document, requirement.pointer),
  };
}

function* listOperationRequirements(
  operation: Operation,
  parts: ContractParts,
): Generator<RequirementDraft> {
  yield* listStatusRequirements(operation);
  for (const response of operation.responses)
    yield* listResponseRequirements(operation, response, parts);
  yield* listRequestRequirements(operation);
  for (const parameter of operation.parameters) {
    yield* listParameterRequirements(operation, parameter, parts.resources);
  }
  yield* listAuthRequirements(operation);
  yield* listRobustnessRequirements(operation);
}

function* listStatusRequirements(operation: Operation): Generator<RequirementDraft> {
  const of = { family: 'status', operation: operation.id } as const;
  const success = successStatus(operation);
  if (success) {
    const sentence = `${operation.id} answers ${success.status} to a request that keeps the contract.`;
    yield {
      ...of,
      id: requirementId.status(operation.id, success.status),
      sentence,
      pointer: success.pointer,
    };
  }
  const notFound = operation.responses.find((response) => response.status === '404');
  if (notFound && operation.path.includes('{')) {
    const sentence = `${operation.id} answers 404 where nothing has the identifier asked for.`;
    yield {
      ...of,
      id: requirementId.status(operation.id, 404),
      sentence,
      pointer: notFound.pointer,
    };
  }
}

/** The response that a lawful request gets: the first 2xx of the document, or undefined. */
export function successStatus(operation: Operation): ResponseContract | undefined {
  return operation.responses.find((response) => /^2\d\d$/.test(response.status));
}

function* listResponseRequirements(
  operation: Operation,
  response: ResponseContract,
  parts: ContractParts,
): Generator<RequirementDraft> {
  const subject = `A ${response.status} of ${operation.id}`;
  const [content] = response.content;
  if (content) yield* listBodyRequirements(operation, response, content, subject);
  for (const header of response.headers) {
    if (!header.required && !isRateLimitHeader(header.name, parts)) continue;
    yield {
      id: requirementId.header(operation.id, response.status, header.name),
      family: 'header',
      operation: operation.id,
      sentence: `${subject} carries the header ${header.name}, in the form that the document gives.`,
      pointer: header.pointer,
    };
  }
}

function isRateLimitHeader(name: string, parts: ContractParts): boolean {
  return Object.values(parts.rateLimit?.headers ?? {}).some(
    (known) => String(known).toLowerCase() === name.toLowerCase(),
  );
}

function* listBodyRequirements(
  operation: Operation,
  response: ResponseContract,
  content: MediaType,
  subject: string,
): Generator<RequirementDraft> {
  const of = { family: 'body', operation: operation.id, pointer: content.pointer } as const;
  const types = response.content.map((each) => each.mediaType).join(' or ');
  yield {
    ...of,
    id: requirementId.contentType(operation.id, response.status),
    sentence: `${subject} has the content type ${types}.`,
  };
  yield {
    ...of,
    id: requirementId.body(operation.id, response.status),
    sentence: `The body of ${lower(subject)} is a JSON text that fits its schema.`,
  };
  if (!content.schema) return;
  for (const facet of listBodyFacets(content.schema)) {
    yield {
      ...of,
      id: requirementId.bodyFacet(operation.id, response.status, facet.path, facet.facet),
      sentence: `In ${lower(subject)}, ${nameMember(facet.path)} ${facet.demand}.`,
      pointer: facet.pointer,
    };
  }
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function nameMember(path: readonly string[]): string {
  if (path.length === 0) return 'the body';
  const name = path.filter((step) => step !== '[]').join('.');
  if (name === '') return 'every item';
  return path.includes('[]') ? `\`${name}\` of every item` : `\`${name}\``;
}

function* listRequestRequirements(operation: Operation): Generator<RequirementDraft> {
  const body = operation.requestBody;
  const content = body?.content.find((each) => each.schema);
  if (!body || !content?.schema) return;
  const refusal = operation.responses.some((response) => response.status === '400')
    ? '400'
    : 'a 4xx';
  const of = { family: 'request', operation: operation.id } as const;
  if (body.required) {
    const sentence = `${operation.id} answers ${refusal} to a request without a body.`;
    yield { ...of, id: requirementId.requestBody(operation.id), sentence, pointer: body.pointer };
  }
  for (const facet of listBodyFacets(content.schema)) {
    const sentence = `${operation.id} takes a body in which ${nameMember(facet.path)} ${facet.demand}, and answers ${refusal} to one in which that is not so.`;
    yield {
      ...of,
      id: requirementId.requestFacet(operation.id, facet.path, facet.facet),
      sentence,
      pointer: facet.pointer,
    };
  }
  const shape = content.schema.shape();
  for (const [name, member] of shape.properties) {
    if (shape.required.has(name)) continue;
    const sentence = `${operation.id} takes a body without \`${name}\`.`;
    yield {
      ...of,
      id: requirementId.requestFacet(operation.id, [name], 'optional'),
      sentence,
      pointer: member.pointer,
    };
  }
}

function* listParameterRequirements(
  operation: Operation,
  parameter: Parameter,
  resources: readonly Resource[],
): Generator<RequirementDraft> {
  if (parameter.in !== 'query') return;
  const of = { family: 'parameter', operation: operation.id, pointer: parameter.pointer } as const;
  const id = (facet: string): string =>
    requirementId.parameter(operation.id, parameter.name, facet);
  const shape = parameter.schema.shape();
  const resource = resources.find((each) => each.list.id === operation.id);
  if (shape.minimum)
    yield {
      ...of,
      id: id('minimum'),
      sentence: `${operation.id} takes ${parameter.name}=${shape.minimum.value}.`,
    };
  if (shape.maximum)
    yield {
      ...of,
      id: id('maximum'),
      sentence: `${operation.id} takes ${parameter.name}=${shape.maximum.value}.`,
    };
  if (shape.values) {
    yield {
      ...of,
      id: id('values'),
      sentence: `${operation.id} takes each of ${shape.values.map(renderValue).join(', ')} as ${parameter.name}.`,
    };
  }
  if (resource?.limit?.parameter.name === parameter.name) {
    yield {
      ...of,
      id: id('bound'),
      sentence: `${operation.id} never answers more items than ${parameter.name} says.`,
    };
    yield {
      ...of,
      id: id('filled'),
      level: 'should',
      sentence: `${operation.id} answers as many items as there are, up to ${parameter.name}.`,
    };
    if (shape.default !== undefined) {
      yield {
        ...of,
        id: id('default'),
        sentence: `${operation.id} without ${parameter.name} answers as with ${parameter.name}=${renderValue(shape.default)}.`,
      };
    }
  }
  if (resource?.filters.some((filter) => filter.parameter.name === parameter.name)) {
    yield {
      ...of,
      id: id('filter'),
      sentence: `${operation.id} with ${parameter.name} answers all items with that value, up to the limit, and no others.`,
    };
  }
}

/** A value as a query string carries it, unquoted. */
function renderValue(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}

function* listAuthRequirements(operation: Operation): Generator<RequirementDraft> {
  const { credential } = operation;
  if (credential.kind === 'none') return;
  const of = { family: 'auth', operation: operation.id, pointer: credential.pointer } as const;
  yield {
    ...of,
    id: requirementId.auth(operation.id, 'missing'),
    sentence: `${operation.id} answers 401 to a request without a key.`,
  };
  yield {
    ...of,
    id: requirementId.auth(operation.id, 'invalid'),
    sentence: `${operation.id} answers 401 to a request with an invalid key.`,
  };
}

function* listRobustnessRequirements(operation: Operation): Generator<RequirementDraft> {
  const of = { family: 'robustness', operation: operation.id, pointer: operation.pointer } as const;
  yield {
    ...of,
    id: requirementId.robustness(operation.id, 'answered'),
    sentence: `${operation.id} answers every request.`,
  };
  yield {
    ...of,
    id: requirementId.robustness(operation.id, 'no-server-error'),
    sentence: `${operation.id} answers no request with a 5xx, those outside the contract included.`,
  };
}

function* listServiceRequirements(parts: ContractParts): Generator<RequirementDraft> {
  const secured = parts.operations.find((operation) => operation.credential.kind !== 'none');
  if (secured && secured.credential.kind !== 'none') {
    const of = { family: 'auth', operation: '*', pointer: secured.credential.pointer } as const;
    yield {
      ...of,
      id: requirementId.auth('*', 'exact'),
      sentence:
        'A key is valid as a whole and to the letter: one that is cut, longer or in another case is answered 401.',
    };
    if (secured.credential.kind === 'bearer') {
      yield {
        ...of,
        id: requirementId.auth('*', 'scheme'),
        sentence: 'A key that is not sent as a bearer token is answered 401.',
      };
    }
  }
  if (parts.error) {
    const of = { family: 'body', operation: '*', pointer: parts.error.schema.pointer } as const;
    yield {
      ...of,
      id: requirementId.errors('shape'),
      sentence:
        'An error response of a status that the operation does not list has the error shape too.',
    };
    yield {
      ...of,
      id: requirementId.errors('status'),
      sentence:
        'An error response of a status that the operation does not list names its HTTP status in the body too.',
    };
  }
  if (parts.rateLimit) yield* listRateLimitRequirements(parts.rateLimit.pointer);
}

function* listRateLimitRequirements(pointer: string): Generator<RequirementDraft> {
  const sentences: readonly (readonly [string, string])[] = [
    [
      'headers',
      'A response of a status that the operation does not list carries the rate-limit headers too.',
    ],
    ['remaining-within-limit', 'Remaining is never above Limit.'],
    ['remaining-counts', 'Remaining goes down as requests are made in one window.'],
    ['remaining-monotonic', 'Remaining never goes up within one window.'],
    ['reset-plausible', 'Reset is a Unix time in seconds, at the end of the current window.'],
    ['plan', 'Limit is what the plan of the key gives for one of the windows.'],
    ['exceeded', 'A request over the limit is answered 429, and none before.'],
    [
      'retry-after',
      'A 429 says in Retry-After when to try again, and a request made then is served.',
    ],
    ['returns', 'After Reset the requests of the window are there again.'],
  ];
  for (const [facet, sentence] of sentences) {
    yield {
      id: requirementId.rateLimit(facet),
      family: 'rate-limit',
      operation: '*',
      pointer,
      sentence,
    };
  }
}

function* listOpenRequirements(parts: ContractParts): Generator<RequirementDraft> {
  for (const question of parts.openQuestions) {
    yield {
      id: requirementId.open(question.id),
      family: 'open',
      operation: '*',
      level: 'open',
      sentence: question.question,
      pointer: question.at,
    };
  }
}
