import type { Contract } from '../../contract/contract.ts';
import {
  type SecurityAlternative,
  isCredential,
  wantsKey,
  keyNames,
} from '../../contract/openapi/credential.ts';
import { type Operation, listConstants } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import type { Choices } from '../choice/choices.ts';
import { type RequestHeaders, headerText, splitTarget } from '../http/message.ts';
import { queryValues, readTextValue, simpleSource } from '../http/parameter-text.ts';
import {
  type PathTemplate,
  compareTemplates,
  countSegments,
  parsePathTemplate,
  withoutFragment,
} from '../http/path-template.ts';
import { compileInput } from './request/input.ts';
import { type Action, type Call, type Input, noInput, success } from './response/outcome.ts';
import { type Refusal, refuse } from './response/refusal.ts';
import { isSafeMethod } from './response/renderer.ts';

/** What a request is routed to: an operation of the document, or a built-in response. */
export interface Endpoint {
  /** Undefined if the document does not describe it. */
  readonly operation: Operation | undefined;
  /** Its path and method; `` if it is not an operation. */
  readonly path: string;
  readonly method: string;
  /**
   * How callers authenticate. If the operation requires nothing, what the rest of the document
   * requires.
   */
  readonly security: readonly SecurityAlternative[];
  /** Query parameters that may contain a key, in lower case. */
  readonly keysInQuery: readonly string[];
  /** Requires a valid key. */
  readonly isGuarded: boolean;
  /** Requests count against the rate limit, and are refused over it. */
  readonly isCounted: boolean;
  /** An invalid body or parameter is reported before an invalid key. */
  readonly readsFirst: boolean;
  /** A safe method, which only reads (RFC 9110 section 9.2.1). */
  readonly isSafe: boolean;
  /** Sends events that the document does not describe. */
  readonly sendsEvents: boolean;
  /** The document describes callbacks for it. */
  readonly hasCallbacks: boolean;
  /** A response other than an error has several media types, of which a request may prefer one. */
  readonly isNegotiated: boolean;
  readonly read: (call: Call) => Input | Refusal;
  readonly act: Action;
}

/** An endpoint that is not an operation: it has no input and requires no key. */
function plainEndpoint(
  security: readonly SecurityAlternative[],
  isCounted: boolean,
  act: Action,
): Endpoint {
  return {
    operation: undefined,
    path: '',
    method: '',
    security,
    keysInQuery: keyNames({ security }, 'query').map((name) => name.toLowerCase()),
    isGuarded: false,
    isCounted,
    readsFirst: false,
    isSafe: true,
    sendsEvents: false,
    hasCallbacks: false,
    isNegotiated: false,
    read: () => noInput,
    act,
  };
}

/** The endpoints of a document's operations, and those that it mentions but does not describe. */
function listEndpoints(
  choices: Choices,
  compileAction: (operation: Operation) => Action,
): readonly Endpoint[] {
  const { operations, rateLimit, webhooks, usualSecurity: usual } = choices.contract;
  const withCallbacks = new Set(webhooks.map(({ callback }) => callback?.operation));
  const sendsEvents = choices.choose('events').id === 'sent';
  const described = operations.map((operation): Endpoint => {
    const { id, method, path, pointer, security } = operation;
    const isGuarded = wantsKey(security);
    const isSafe = isSafeMethod(method);
    // A request with a key uses its own sandbox even if no key is required.
    const own = security.filter((schemes) => schemes.some(isCredential));
    const optional = rateLimit !== undefined ? [] : own.length > 0 ? own : usual;
    // Compiled on first use.
    let read: Endpoint['read'] | undefined;
    let act: Action | undefined;
    return {
      ...plainEndpoint(isGuarded ? security : optional, true, (input, call) =>
        (act ??= compileAction(operation))(input, call),
      ),
      operation,
      path,
      method,
      isGuarded,
      readsFirst: choices.choose('order-of-checks', pointer).id === 'body-first',
      isSafe,
      sendsEvents: !isSafe && sendsEvents,
      hasCallbacks: withCallbacks.has(id),
      isNegotiated: operation.responses.some(
        ({ status, content }) => !/^[45]/.test(status) && content.length > 1,
      ),
      read: (call) => (read ??= compileInput(operation, choices))(call),
    };
  });
  const paths = new Set(operations.map(({ path }) => path));
  // GET returns an empty list, or an object if the path has a parameter.
  const undescribed = [...new Set(undescribedPaths(choices))].filter((path) => !paths.has(path));
  return [
    ...described,
    ...undescribed.map((path) => ({
      ...plainEndpoint(usual, true, () => success(200, path.includes('{') ? '{}' : '[]')),
      path,
      method: 'GET',
      isGuarded: usual.length > 0,
    })),
  ];
}

/**
 * The paths that an open question mentions and the document does not describe, if the choice is to
 * serve them.
 */
function undescribedPaths(choices: Choices): readonly string[] {
  return choices.answersTo('undescribed-operations').flatMap(({ choice, question }) => {
    const named = choice.id === 'served' ? question.details['paths'] : undefined;
    return Array.isArray(named) ? named.filter((path) => typeof path === 'string') : [];
  });
}

/** The result of routing a request. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly pathTexts: readonly string[];
  readonly query: string;
}

/** The router for a time, in milliseconds since 1970. */
export type RouterAt = (now: number) => Router;

/** Routers for before and after each removal: an operation exists until its `x-sunset`, UTC. */
export function compileRouters(
  choices: Choices,
  compileAction: (operation: Operation) => Action,
): RouterAt {
  const all = listEndpoints(choices, compileAction);
  const first = new Router(choices, all, []);
  const ends = [...new Set(all.map(removalOf))].filter(Number.isFinite).toSorted((a, b) => a - b);
  if (ends.length === 0) return () => first;
  const later = new Map<number, Router>();
  return (now) => {
    if (!(now >= (ends[0] ?? now))) return first;
    const epoch = ends.filter((end) => end <= now).length;
    const known = later.get(epoch);
    if (known !== undefined) return known;
    const removed = all.filter((endpoint) => now >= removalOf(endpoint));
    const there = all.filter((endpoint) => !removed.includes(endpoint));
    const router = new Router(choices, there, removed);
    later.set(epoch, router);
    return router;
  };
}

/** When an operation is removed; never if the document has no date. */
function removalOf({ operation }: Endpoint): number {
  const sunset = operation?.deprecation?.sunset;
  return sunset === undefined ? Number.POSITIVE_INFINITY : Date.parse(sunset);
}

const noTexts: readonly string[] = [];

const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The request to be routed. */
interface RequestedRoute {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
}

/** Paths outside of `/_mock/`, for people and tools that know only the origin of the mock. */
const rootTarget = /^\/(?:openapi\.(?:yaml|json)|favicon\.ico)?(?:\?|$)/;

/** True for a request to the control interface. Paths of the document take precedence. */
export function isControlTarget(
  target: string,
  { basePath, operations }: Pick<Contract, 'basePath' | 'operations'>,
): boolean {
  if (target.startsWith('/_mock')) {
    const isInDocument = basePath.startsWith('/_mock/') && target.startsWith(`${basePath}/`);
    return /^\/_mock(?:[/?]|$)/.test(target) && !isInDocument;
  }
  const [path = ''] = target.split('?', 1);
  // `/{name}` matches any single segment.
  return (
    rootTarget.test(target) &&
    operations.every((one) => parsePathTemplate(one.path, basePath).match(path) === undefined)
  );
}

/** Paths without parameters go before templated ones (OpenAPI 3.1, Paths Object). */
export class Router {
  readonly #contract: Contract;
  /** Unknown methods of a known path are answered like unknown paths. */
  readonly #hidesMethods: boolean;
  /** Removed operations, to explain the 404 or 405. */
  readonly #removed: readonly Endpoint[];
  /** The base path of the next version, which is served like this one. */
  readonly #nextBase: string | undefined;
  readonly #exact = new Map<string, PathEntry>();
  /** By number of segments, the most concrete first. */
  readonly #templated: ReadonlyMap<number, readonly PathEntry[]>;
  /** Some templates have a query string. */
  readonly #hasPairs: boolean;
  readonly #unknown: Endpoint;
  readonly #anywhere: Endpoint;

  constructor(choices: Choices, endpoints: readonly Endpoint[], removed: readonly Endpoint[]) {
    const { contract } = choices;
    const { basePath, usualSecurity } = contract;
    this.#contract = contract;
    this.#hidesMethods = choices.choose('undescribed-requests').id === 'not-found';
    this.#removed = removed;
    const [, start, version] = /^(.*\/v)(\d+)$/.exec(basePath) ?? [];
    if (start !== undefined && choices.choose('versioning').id === 'several-versions')
      this.#nextBase = `${start}${Number(version) + 1}`;
    // Paths that differ only in the names of parameters are the same path.
    const byPath = Map.groupBy(endpoints, ({ path }) =>
      withoutFragment(path).replaceAll(/\{[^{}]*\}/g, '{}'),
    );
    const templated: PathEntry[] = [];
    for (const ofPath of byPath.values()) {
      const entry = new PathEntry(ofPath, basePath, usualSecurity);
      const { template } = entry;
      if (template.names.length > 0 || template.pairs > 0) templated.push(entry);
      else this.#exact.set(basePath + withoutFragment(template.template), entry);
    }
    this.#templated = Map.groupBy(
      templated.toSorted((one, other) => compareTemplates(one.template, other.template)),
      ({ template }) => template.segments,
    );
    this.#hasPairs = templated.some(({ template }) => template.pairs > 0);
    this.#unknown = plainEndpoint(usualSecurity, true, (_input, { request }) =>
      refuse(
        'unknown_path',
        this.#explain(request.target) + this.#explainBase(request.method, request.target),
      ),
    );
    this.#anywhere = preflight(usualSecurity, usualMethods);
  }

  /** `headers`: to choose between operations on the same path by their constant headers. */
  find(method: string, target: string, headers: RequestHeaders = {}): Route {
    const { path, query } = splitTarget(this.#ofThisVersion(target));
    const wanted = { method, path, query, headers };
    const found =
      this.#findEntry(wanted) ?? (path.includes('%') ? this.#findDecoded(wanted) : undefined);
    if (found !== undefined) return found;
    const endpoint = method === 'OPTIONS' ? this.#anywhere : this.#unknown;
    return { endpoint, pathTexts: noTexts, query };
  }

  #ofThisVersion(target: string): string {
    const next = this.#nextBase;
    if (next === undefined || !target.startsWith(next)) return target;
    const rest = target.slice(next.length);
    return /^(?:[/?]|$)/.test(rest) ? this.#contract.basePath + rest : target;
  }

  /** The most concrete entry with the method, else the most concrete one. */
  #findEntry(wanted: RequestedRoute): Route | undefined {
    const { path, query } = wanted;
    const exact = this.#exact.get(path);
    const own = exact?.endpointFor(wanted, noTexts);
    if (own !== undefined && !this.#hasPairs) return { endpoint: own, pathTexts: noTexts, query };
    let first = exact && { endpoint: own ?? this.#refusing(exact), pathTexts: noTexts, query };
    for (const entry of this.#templated.get(countSegments(path)) ?? []) {
      if (own !== undefined && entry.template.pairs === 0) continue;
      const pathTexts = entry.template.match(path, query);
      if (pathTexts === undefined) continue;
      const endpoint = entry.endpointFor(wanted, pathTexts);
      if (endpoint !== undefined) return { endpoint, pathTexts, query };
      first ??= { endpoint: this.#refusing(entry), pathTexts, query };
    }
    return first;
  }

  /** Unnecessary percent-encoding does not change a path (RFC 3986 section 6.2.2.2). */
  #findDecoded(wanted: RequestedRoute): Route | undefined {
    const plain = wanted.path.replace(
      /%([46][1-9A-F]|[57][0-9A]|3[0-9]|2[DE]|5F|7E)/gi,
      (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    for (const path of [plain, decodePercent(plain)])
      if (path !== undefined && countSegments(path) === countSegments(wanted.path)) {
        const found = this.#findEntry({ ...wanted, path });
        if (found !== undefined) return found;
      }
    return undefined;
  }

  /** The response to methods that a path does not have. */
  #refusing({ allowed }: PathEntry): Endpoint {
    return plainEndpoint(this.#contract.usualSecurity, true, (_input, { request }) =>
      this.#hidesMethods
        ? refuse('unknown_path', this.#explain(request.target))
        : refuse(
            'method_not_allowed',
            `${request.method} is not allowed on this path. Allowed: ${allowed.join(', ')}.`,
            { facts: { allow: allowed } },
          ),
    );
  }

  /** Why the path is unknown. */
  #explain(target: string): string {
    const { basePath } = this.#contract;
    const { path } = splitTarget(target);
    const found = this.#removed.find(
      (one) => parsePathTemplate(one.path, basePath).match(path) !== undefined,
    )?.operation;
    const history = found ? ` ${found.id} was removed on ${found.deprecation?.sunset}.` : '';
    const isBase = basePath !== '' && (path === basePath || path === `${basePath}/`);
    const way = isBase ? ' This is the base path of the API. In a browser, open /_mock/.' : '';
    return `The API has no path ${path.slice(0, 200)}.${history}${way}`;
  }

  /** The working address, if only the base path is missing. */
  #explainBase(method: string, target: string): string {
    const { basePath } = this.#contract;
    const { path } = splitTarget(target);
    if (basePath === '' || !path.startsWith('/')) return '';
    const { operation } = this.find(method, basePath + path).endpoint;
    return operation === undefined ? '' : ` Did you mean ${basePath}${path.slice(0, 200)}?`;
  }
}

/** The operations of one path, by method. */
class PathEntry {
  readonly template: PathTemplate;
  readonly allowed: readonly string[];
  readonly #methods = new Map<string, Endpoint>();
  /** By method, the endpoints if there are several. */
  readonly #rivals = new Map<string, readonly Rival[]>();

  constructor(
    endpoints: readonly Endpoint[],
    basePath: string,
    security: readonly SecurityAlternative[],
  ) {
    // Endpoints without a fragment take precedence.
    const fragment = ({ path }: Endpoint): number => path.length - withoutFragment(path).length;
    const ofPath = endpoints.toSorted((a, b) => fragment(a) - fragment(b));
    this.template = parsePathTemplate(ofPath[0]?.path ?? '', basePath);
    for (const [method, several] of Map.groupBy(ofPath, (endpoint) => endpoint.method)) {
      const [first] = several;
      if (first !== undefined) this.#methods.set(method, first);
      if (several.length > 1) this.#rivals.set(method, compileRivals(several));
    }
    const get = this.#methods.get('GET');
    if (get !== undefined && !this.#methods.has('HEAD')) this.#methods.set('HEAD', get);
    const described = this.#methods.get('OPTIONS');
    const allowed = [...new Set([...this.#methods.keys(), 'OPTIONS'])];
    this.allowed = allowed;
    this.#methods.set(
      'OPTIONS',
      described === undefined ? preflight(security, allowed) : withMethods(described, allowed),
    );
  }

  /** Undefined if the path does not have the method. */
  endpointFor(wanted: RequestedRoute, pathTexts: readonly string[]): Endpoint | undefined {
    const rivals = this.#rivals.get(wanted.method)?.filter(({ takes }) => takes(wanted, pathTexts));
    const best = rivals?.[0];
    const found = rivals?.find(
      ({ constants, shows }) => constants === best?.constants && shows(pathTexts),
    );
    return (found ?? best)?.endpoint ?? this.#methods.get(wanted.method);
  }
}

/** The document's OPTIONS operation, with the allowed methods added. */
function withMethods(endpoint: Endpoint, methods: readonly string[]): Endpoint {
  return {
    ...endpoint,
    act: (input, call) => {
      const outcome = endpoint.act(input, call);
      return { ...outcome, facts: { ...outcome.facts, preflight: methods } };
    },
  };
}

/** Browsers send preflights by themselves and without a key, so they are not counted. */
function preflight(security: readonly SecurityAlternative[], methods: readonly string[]): Endpoint {
  return plainEndpoint(security, false, () => success(204, '', { preflight: methods }));
}

/** One of several endpoints for the same method and path. */
interface Rival {
  readonly endpoint: Endpoint;
  /**
   * Whether its path parameters accept the values, and its constant headers and query parameters
   * match.
   */
  readonly takes: (wanted: RequestedRoute, pathTexts: readonly string[]) => boolean;
  /** How many constant headers and query parameters a request has to have. */
  readonly constants: number;
  /** Whether the document shows one of the values, as the default or an example of its parameter. */
  readonly shows: (pathTexts: readonly string[]) => boolean;
}

/** Those with the most constants first, then those whose path parameters accept the fewest values. */
function compileRivals(endpoints: readonly Endpoint[]): readonly Rival[] {
  const rivals = endpoints.map((endpoint) => {
    const { names } = parsePathTemplate(endpoint.path);
    const { operation } = endpoint;
    const parameters = operation?.parameters.filter((one) => one.in === 'path') ?? [];
    const constants = operation === undefined ? [] : listConstants(operation);
    const limiting = parameters.filter((parameter) => !accepts(parameter, 'any text'));
    const takes: Rival['takes'] = ({ query, headers }, pathTexts) =>
      constants.every(({ in: place, name, value }) =>
        place === 'query'
          ? queryValues(query, name).includes(value)
          : headerText(headers, name.toLowerCase()) === value,
      ) &&
      parameters.every((parameter) => accepts(parameter, pathTexts[names.indexOf(parameter.name)]));
    const shown = parameters.map(
      (parameter) => [names.indexOf(parameter.name), shownTexts(parameter)] as const,
    );
    const shows: Rival['shows'] = (pathTexts) =>
      shown.some(([index, texts]) => texts.has(decodePercent(pathTexts[index] ?? '') ?? ''));
    return { endpoint, takes, constants: constants.length, shows, limits: limiting.length };
  });
  return rivals.toSorted(
    (one, other) => other.constants - one.constants || other.limits - one.limits,
  );
}

function accepts({ schema }: Parameter, text: string | undefined): boolean {
  const plain = text === undefined ? undefined : decodePercent(text);
  return (
    plain !== undefined && readTextValue(simpleSource(plain, false), schema)?.issues.length === 0
  );
}

function shownTexts({ schema, examples }: Parameter): ReadonlySet<string> {
  const { default: usual, examples: own } = schema.shape();
  const values = [usual, ...own, ...examples.map(({ value }) => value)];
  return new Set(
    values.flatMap((value = null) => (typeof value === 'object' ? [] : [String(value)])),
  );
}
