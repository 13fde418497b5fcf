import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  type SecurityAlternative,
  isCredential,
  wantsKey,
} from '../../contract/openapi/credential.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { compileContent } from './request/content.ts';
import { headerText } from '../http/message.ts';
import type { Choices } from '../choice/choices.ts';
import { isSafeMethod } from './response/renderer.ts';
import { renderIssues } from '../operation/response/refusal.ts';
import { isAcceptable } from '../http/media-type.ts';
import { type Action, type Call, type Input, success } from './response/outcome.ts';
import { compileParameters } from './request/parameters.ts';
import { type Refusal, isRefusal, refuse, documentedStatuses } from './response/refusal.ts';
import { hasMediaTypes } from './response/representation.ts';

/** Where a request ends up: an operation of the document, or what answers for none. */
export interface Endpoint {
  /** Undefined for what the document does not describe. */
  readonly operation: Operation | undefined;
  /** Where it is, and by which method; `` where it is not an operation. */
  readonly path: string;
  readonly method: string;
  /** What callers show; where nothing is demanded, what the rest of the document demands. */
  readonly security: readonly SecurityAlternative[];
  /** The query may have a key. */
  readonly takesKeyInQuery: boolean;
  /** A valid key is required. */
  readonly isGuarded: boolean;
  /** Requests count against the rate limit, and are refused over it. */
  readonly isCounted: boolean;
  /** An invalid request is refused before an invalid key. */
  readonly readsFirst: boolean;
  /** It only reads (RFC 9110 section 9.2.1). */
  readonly isSafe: boolean;
  /** Others are notified of what it does, in a way that the document does not describe. */
  readonly sendsEvents: boolean;
  /** Some of its successes come in several media types. */
  readonly hasMediaTypes: boolean;
  /** The document has callbacks of it. */
  readonly hasCallbacks: boolean;
  readonly read: (call: Call) => Input | Refusal;
  readonly act: Action;
}

/**
 * Where an endpoint is, known before it is compiled: its first request compiles it, since a document
 * may have thousands of operations.
 */
export interface EndpointPlace extends Pick<Endpoint, 'operation' | 'path' | 'method'> {
  open(): Endpoint;
}

const noInput: Input = { parameters: new Map(), matchesNothing: false, body: undefined };

/** The endpoints of the operations of a document, and those that it names and does not describe. */
export function placeEndpoints(
  choices: Choices,
  compileAction: (operation: Operation) => Action,
): readonly EndpointPlace[] {
  const described = choices.contract.operations.map((operation) => {
    let endpoint: Endpoint | undefined;
    return {
      operation,
      path: operation.path,
      method: operation.method,
      open: () => (endpoint ??= compileEndpoint(operation, choices, compileAction(operation))),
    };
  });
  return [...described, ...placeUndescribed(choices)];
}

/**
 * Where choices serve operations that a document names and does not describe: GET on the question's
 * `paths` answers an empty list, or an object where the path has a parameter.
 */
function placeUndescribed(choices: Choices): readonly EndpointPlace[] {
  const { contract } = choices;
  const described = new Set(contract.operations.map(({ path }) => path));
  const paths = choices.answersTo('undescribed-operations').flatMap(({ choice, question }) => {
    const named = choice.id === 'served' ? question.details['paths'] : undefined;
    return Array.isArray(named) ? named.filter((path) => typeof path === 'string') : [];
  });
  return [...new Set(paths)]
    .filter((path) => !described.has(path))
    .map((path) => {
      const security = contract.usualSecurity;
      const body = path.includes('{') ? '{}' : '[]';
      const plain = plainEndpoint(security, true, () => success(200, body));
      const endpoint = { ...plain, path, method: 'GET', isGuarded: security.length > 0 };
      return { operation: undefined, path, method: 'GET', open: () => endpoint };
    });
}

function compileEndpoint(operation: Operation, choices: Choices, act: Action): Endpoint {
  const guard = wantsKey(operation.security);
  const isSafe = isSafeMethod(operation.method);
  const security = guard ? operation.security : optionalSecurity(operation, choices.contract);
  return {
    operation,
    path: operation.path,
    method: operation.method,
    security,
    takesKeyInQuery: isInQuery(security),
    isGuarded: guard,
    isCounted: true,
    readsFirst: choices.choose('order-of-checks', operation.pointer).id === 'body-first',
    isSafe,
    sendsEvents: !isSafe && choices.choose('events').id === 'sent',
    hasMediaTypes: hasMediaTypes(operation),
    hasCallbacks: choices.contract.webhooks.some(
      ({ callback }) => callback !== undefined && callback.operation === operation.id,
    ),
    read: compileRead(operation, choices),
    act,
  };
}

function isInQuery(security: readonly SecurityAlternative[]): boolean {
  return security.flat().some((scheme) => scheme.kind === 'api-key' && scheme.in === 'query');
}

/** What is read where no key is wanted: a caller with a key is in its own sandbox there too. */
function optionalSecurity(
  { security }: Operation,
  { rateLimit, usualSecurity }: Contract,
): readonly SecurityAlternative[] {
  if (rateLimit !== undefined) return [];
  const own = security.filter((schemes) => schemes.some(isCredential));
  return own.length > 0 ? own : usualSecurity;
}

/** An endpoint that is not an operation of the document: it reads nothing and wants no key. */
export function plainEndpoint(
  security: readonly SecurityAlternative[],
  isCounted: boolean,
  act: Action,
): Endpoint {
  return {
    operation: undefined,
    path: '',
    method: '',
    security,
    takesKeyInQuery: isInQuery(security),
    isGuarded: false,
    isCounted,
    readsFirst: false,
    isSafe: true,
    sendsEvents: false,
    hasMediaTypes: false,
    hasCallbacks: false,
    read: () => noInput,
    act,
  };
}

function compileRead(operation: Operation, choices: Choices): (call: Call) => Input | Refusal {
  const documented = documentedStatuses(operation);
  const readParameters = compileParameters(operation, choices);
  const readContent = compileContent(operation, choices);
  const [answered] = successResponse(operation)?.content ?? [];
  const accept = choices.choose('accept', operation.pointer, '#/paths').id;
  const wanted = accept === 'not-acceptable' ? answered?.mediaType : undefined;
  return (call) => {
    const { headers } = call.request;
    if (wanted !== undefined && !isAcceptable(headerText(headers, 'accept'), wanted))
      return refuse(
        'not_acceptable',
        'The Accept header excludes every media type of the response.',
      );
    const parameters = readParameters(call);
    if (isRefusal(parameters)) return parameters;
    const content = readContent?.(call.request);
    if (content !== undefined && isRefusal(content)) return content;
    if (content !== undefined && content.issues.length > 0)
      return refuse('invalid_body', renderIssues(content.issues), {
        documented,
        place: content.issues[0]?.schemaPointer,
      });
    const { values, matchesNothing } = parameters;
    return { parameters: values, matchesNothing, body: content?.value };
  };
}
