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
import type { Commitment, Obligation } from './requirement.ts';
import { listBodyFacets } from './body.ts';
import { obligationId } from './requirement.ts';
import { listStateObligations } from './state.ts';
import { sectionOf } from '../document/section.ts';

/** The parts of a contract that its obligations are computed from. */
export interface ContractParts {
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly error: ErrorShape | undefined;
  readonly rateLimit: RateLimitPolicy | undefined;
  readonly openQuestions: readonly OpenQuestion[];
}

/**
 * Computes every obligation of a contract: family by place in the document. The order is that of
 * reports; ids are unique.
 */
export function compileObligations(parts: ContractParts): readonly Obligation[] {
  const promises = [
    ...parts.operations.flatMap((operation) => [...listOperationPromises(operation, parts)]),
    ...parts.resources.flatMap((resource) => [...listStateObligations(resource)]),
    ...listServicePromises(parts),
    ...listOpenPromises(parts),
  ];
  const byId = new Map(promises.map((promise) => [promise.id, promise]));
  return [...byId.values()].map((promise) => complete(promise, parts.document));
}

function complete(promise: Commitment, document: JsonObject): Obligation {
  return {
    ...promise,
    level: promise.level ?? 'must',
    section: sectionOf(document, promise.pointer),
  };
}

function* listOperationPromises(operation: Operation, parts: ContractParts): Generator<Commitment> {
  yield* listStatusPromises(operation);
  for (const response of operation.responses)
    yield* listResponsePromises(operation, response, parts);
  yield* listRequestPromises(operation);
  for (const parameter of operation.parameters) {
    yield* listParameterPromises(operation, parameter, parts.resources);
  }
  yield* listAuthPromises(operation);
  yield* listRobustnessPromises(operation);
}

function* listStatusPromises(operation: Operation): Generator<Commitment> {
  const of = { family: 'status', operation: operation.id } as const;
  const success = successStatus(operation);
  if (success) {
    const sentence = `${operation.id} answers ${success.status} to a request that keeps the contract.`;
    yield {
      ...of,
      id: obligationId.status(operation.id, success.status),
      sentence,
      pointer: success.pointer,
    };
  }
  const notFound = operation.responses.find((response) => response.status === '404');
  if (notFound && operation.path.includes('{')) {
    const sentence = `${operation.id} answers 404 where nothing has the identifier asked for.`;
    yield {
      ...of,
      id: obligationId.status(operation.id, 404),
      sentence,
      pointer: notFound.pointer,
    };
  }
}

/** The response that a lawful request gets: the first 2xx of the document, or undefined. */
export function successStatus(operation: Operation): ResponseContract | undefined {
  return operation.responses.find((response) => /^2\d\d$/.test(response.status));
}

function* listResponsePromises(
  operation: Operation,
  response: ResponseContract,
  parts: ContractParts,
): Generator<Commitment> {
  const subject = `A ${response.status} of ${operation.id}`;
  const [content] = response.content;
  if (content) yield* listBodyPromises(operation, response, content, subject);
  for (const header of response.headers) {
    if (!header.required && !isRateLimitHeader(header.name, parts)) continue;
    yield {
      id: obligationId.header(operation.id, response.status, header.name),
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

function* listBodyPromises(
  operation: Operation,
  response: ResponseContract,
  content: MediaType,
  subject: string,
): Generator<Commitment> {
  const of = { family: 'body', operation: operation.id, pointer: content.pointer } as const;
  const types = response.content.map((each) => each.mediaType).join(' or ');
  yield {
    ...of,
    id: obligationId.contentType(operation.id, response.status),
    sentence: `${subject} has the content type ${types}.`,
  };
  yield {
    ...of,
    id: obligationId.body(operation.id, response.status),
    sentence: `The body of ${lower(subject)} is a JSON text that fits its schema.`,
  };
  if (!content.schema) return;
  for (const facet of listBodyFacets(content.schema)) {
    yield {
      ...of,
      id: obligationId.bodyFacet(operation.id, response.status, facet.path, facet.facet),
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

function* listRequestPromises(operation: Operation): Generator<Commitment> {
  const body = operation.requestBody;
  const content = body?.content.find((each) => each.schema);
  if (!body || !content?.schema) return;
  const refusal = operation.responses.some((response) => response.status === '400')
    ? '400'
    : 'a 4xx';
  const of = { family: 'request', operation: operation.id } as const;
  if (body.required) {
    const sentence = `${operation.id} answers ${refusal} to a request without a body.`;
    yield { ...of, id: obligationId.requestBody(operation.id), sentence, pointer: body.pointer };
  }
  for (const facet of listBodyFacets(content.schema)) {
    const sentence = `${operation.id} takes a body in which ${nameMember(facet.path)} ${facet.demand}, and answers ${refusal} to one in which that is not so.`;
    yield {
      ...of,
      id: obligationId.requestFacet(operation.id, facet.path, facet.facet),
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
      id: obligationId.requestFacet(operation.id, [name], 'optional'),
      sentence,
      pointer: member.pointer,
    };
  }
}

function* listParameterPromises(
  operation: Operation,
  parameter: Parameter,
  resources: readonly Resource[],
): Generator<Commitment> {
  if (parameter.in !== 'query') return;
  const of = { family: 'parameter', operation: operation.id, pointer: parameter.pointer } as const;
  const id = (facet: string): string => obligationId.parameter(operation.id, parameter.name, facet);
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

function* listAuthPromises(operation: Operation): Generator<Commitment> {
  const { credential } = operation;
  if (credential.kind === 'none') return;
  const of = { family: 'auth', operation: operation.id, pointer: credential.pointer } as const;
  yield {
    ...of,
    id: obligationId.auth(operation.id, 'missing'),
    sentence: `${operation.id} answers 401 to a request without a key.`,
  };
  yield {
    ...of,
    id: obligationId.auth(operation.id, 'invalid'),
    sentence: `${operation.id} answers 401 to a request with an invalid key.`,
  };
}

function* listRobustnessPromises(operation: Operation): Generator<Commitment> {
  const of = { family: 'robustness', operation: operation.id, pointer: operation.pointer } as const;
  yield {
    ...of,
    id: obligationId.robustness(operation.id, 'answered'),
    sentence: `${operation.id} answers every request.`,
  };
  yield {
    ...of,
    id: obligationId.robustness(operation.id, 'no-server-error'),
    sentence: `${operation.id} answers no request with a 5xx, those outside the contract included.`,
  };
}

function* listServicePromises(parts: ContractParts): Generator<Commitment> {
  const secured = parts.operations.find((operation) => operation.credential.kind !== 'none');
  if (secured && secured.credential.kind !== 'none') {
    const of = { family: 'auth', operation: '*', pointer: secured.credential.pointer } as const;
    yield {
      ...of,
      id: obligationId.auth('*', 'exact'),
      sentence:
        'A key is valid as a whole and to the letter: one that is cut, longer or in another case is answered 401.',
    };
    if (secured.credential.kind === 'bearer') {
      yield {
        ...of,
        id: obligationId.auth('*', 'scheme'),
        sentence: 'A key that is not sent as a bearer token is answered 401.',
      };
    }
  }
  if (parts.error) {
    const of = { family: 'body', operation: '*', pointer: parts.error.schema.pointer } as const;
    yield {
      ...of,
      id: obligationId.errors('shape'),
      sentence:
        'An error answer of a status that the operation does not list has the error shape too.',
    };
    yield {
      ...of,
      id: obligationId.errors('status'),
      sentence:
        'An error answer of a status that the operation does not list names its HTTP status in the body too.',
    };
  }
  if (parts.rateLimit) yield* listRateLimitPromises(parts.rateLimit.pointer);
}

function* listRateLimitPromises(pointer: string): Generator<Commitment> {
  const sentences: readonly (readonly [string, string])[] = [
    [
      'headers',
      'An answer of a status that the operation does not list carries the rate-limit headers too.',
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
      id: obligationId.rateLimit(facet),
      family: 'rate-limit',
      operation: '*',
      pointer,
      sentence,
    };
  }
}

function* listOpenPromises(parts: ContractParts): Generator<Commitment> {
  for (const question of parts.openQuestions) {
    yield {
      id: obligationId.open(question.id),
      family: 'open',
      operation: '*',
      level: 'open',
      sentence: question.question,
      pointer: question.at,
    };
  }
}
