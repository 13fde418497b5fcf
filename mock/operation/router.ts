import type { Contract } from '../../contract/contract.ts';
import type { SecurityAlternative } from '../../contract/openapi/credential.ts';
import {
  type ConstantParameter,
  type Operation,
  listConstants,
} from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import type { Choices } from '../choice/choices.ts';
import { type RequestHeaders, headerText } from '../http/message.ts';
import { readParameterText } from '../http/parameter-text.ts';
import {
  type PathTemplate,
  compareTemplates,
  countSegments,
  parsePathTemplate,
} from '../http/path-template.ts';
import { queryValues } from '../http/parameter-text.ts';
import { type Endpoint, type EndpointPlace, placeEndpoints, plainEndpoint } from './endpoint.ts';
import { type Action, success } from './response/outcome.ts';
import { refuse } from './response/refusal.ts';

/** Where a request goes. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly pathTexts: readonly string[];
  readonly query: string;
}

/** The router for an instant, milliseconds since 1970. */
export type RouterAt = (now: number) => Router;

/** Routers for before and after each removal: an operation is there until its `x-sunset`, UTC. */
export function compileRouters(
  choices: Choices,
  compileAction: (operation: Operation) => Action,
): RouterAt {
  const places = placeEndpoints(choices, compileAction);
  const open = (now: number): Router => {
    const isRemoved = (place: EndpointPlace): boolean => now >= removalOf(place);
    const there = places.filter((place) => !isRemoved(place));
    return new Router(choices, there, places.filter(isRemoved));
  };
  const ends = [...new Set(places.map(removalOf))]
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
  const first = open(Number.NEGATIVE_INFINITY);
  if (ends.length === 0) return () => first;
  const later = new Map<number, Router>();
  return (now) => {
    if (!(now >= (ends[0] ?? now))) return first;
    const epoch = ends.filter((end) => end <= now).length;
    const router = later.get(epoch) ?? open(now);
    later.set(epoch, router);
    return router;
  };
}

/** When an operation goes away; never where its document gives no date. */
function removalOf({ operation }: EndpointPlace): number {
  const sunset = operation?.deprecation?.sunset;
  return sunset === undefined ? Number.POSITIVE_INFINITY : Date.parse(sunset);
}

const noTexts: readonly string[] = [];

const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** What a request asks for. */
interface Sought {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
}

type Found = Omit<Route, 'query'>;

/** Paths without parameters go before templated ones (OpenAPI 3.1, Paths Object). */
export class Router {
  readonly #contract: Contract;
  /** Another method of a known path is answered as an unknown path is. */
  readonly #hidesMethods: boolean;
  /** Operations that were here once; requests to them get a response that says so. */
  readonly #removed: readonly EndpointPlace[];
  /** The base path of a next version, which is served as this one is. */
  readonly #nextBase: string | undefined;
  readonly #exact: ReadonlyMap<string, PathEntry>;
  /** By number of segments, the more concrete first. */
  readonly #templated: ReadonlyMap<number, readonly PathEntry[]>;
  /** Some templates have a query. */
  readonly #hasPairs: boolean;
  readonly #unknown: Endpoint;
  readonly #anywhere: Endpoint;

  constructor(
    choices: Choices,
    places: readonly EndpointPlace[],
    removed: readonly EndpointPlace[],
  ) {
    const { contract } = choices;
    const { basePath, usualSecurity } = contract;
    this.#contract = contract;
    this.#hidesMethods = choices.choose('undescribed-requests').id === 'not-found';
    this.#removed = removed;
    const [, start, version] = /^(.*\/v)(\d+)$/.exec(basePath) ?? [];
    const hasVersions = choices.choose('versioning').id === 'several-versions';
    this.#nextBase =
      start === undefined || !hasVersions ? undefined : `${start}${Number(version) + 1}`;
    // Paths that differ in the names of parameters only are one path.
    const byPath = Map.groupBy(places, ({ path }) =>
      withoutFragment(path).replaceAll(/\{[^{}]*\}/g, '{}'),
    );
    const entries = [...byPath.values()].map(
      (ofPath) => new PathEntry(ofPath, basePath, usualSecurity),
    );
    this.#exact = new Map(
      entries
        .filter(({ isExact }) => isExact)
        .map((entry) => [basePath + withoutFragment(entry.template.template), entry]),
    );
    this.#templated = Map.groupBy(
      entries
        .filter(({ isExact }) => !isExact)
        .toSorted((one, other) => compareTemplates(one.template, other.template)),
      ({ template }) => template.segments,
    );
    this.#hasPairs = entries.some(({ template }) => template.pairs > 0);
    this.#unknown = plainEndpoint(usualSecurity, true, (_input, { request }) =>
      refuse(
        'unknown_path',
        this.#explain(request.target) + this.#explainBase(request.method, request.target),
      ),
    );
    this.#anywhere = preflight(usualSecurity, usualMethods);
  }

  /** `headers`: needed where operations of one path have different constant headers. */
  find(method: string, target: string, headers: RequestHeaders = {}): Route {
    const { path, query } = splitTarget(this.#ofThisVersion(target));
    const sought = { method, path, query, headers };
    const exact = this.#exact.get(path);
    const place = exact?.placeFor(sought, noTexts);
    if (place !== undefined && !this.#hasPairs)
      return { endpoint: place.open(), pathTexts: noTexts, query };
    const found =
      this.#findEntry(exact, sought) ??
      (path.includes('%') ? this.#findDecoded(sought) : undefined);
    if (found !== undefined) return { endpoint: found.endpoint, pathTexts: found.pathTexts, query };
    const other = method === 'OPTIONS' ? this.#anywhere : this.#unknown;
    return { endpoint: other, pathTexts: noTexts, query };
  }

  #ofThisVersion(target: string): string {
    const next = this.#nextBase;
    if (next === undefined || !target.startsWith(next)) return target;
    const rest = target.slice(next.length);
    return /^(?:[/?]|$)/.test(rest) ? this.#contract.basePath + rest : target;
  }

  /** The most concrete entry that has the method, else the most concrete one. */
  #findEntry(exact: PathEntry | undefined, sought: Sought): Found | undefined {
    const { path, query } = sought;
    const own = exact?.placeFor(sought, noTexts);
    let first = exact && { endpoint: this.#refusing(exact), pathTexts: noTexts };
    for (const entry of this.#templated.get(countSegments(path)) ?? []) {
      const { template } = entry;
      if (own !== undefined && template.pairs === 0) continue;
      const pathTexts = template.match(path, query);
      if (pathTexts === undefined) continue;
      const place = entry.placeFor(sought, pathTexts);
      if (place !== undefined) return { endpoint: place.open(), pathTexts };
      first ??= { endpoint: this.#refusing(entry), pathTexts };
    }
    return own === undefined ? first : { endpoint: own.open(), pathTexts: noTexts };
  }

  /** A path that is percent-encoded without need is the same path (RFC 3986 section 6.2.2.2). */
  #findDecoded(sought: Sought): Found | undefined {
    const plain = sought.path.replace(
      /%([46][1-9A-F]|[57][0-9A]|3[0-9]|2[DE]|5F|7E)/gi,
      (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    for (const path of [plain, decodePercent(plain)])
      if (path !== undefined && countSegments(path) === countSegments(sought.path)) {
        const found = this.#findEntry(this.#exact.get(path), { ...sought, path });
        if (found !== undefined) return found;
      }
    return undefined;
  }

  /** Answers methods that a path does not have. */
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

  /** Why there is no such path. */
  #explain(target: string): string {
    const { basePath } = this.#contract;
    const { path } = splitTarget(target);
    const found = this.#removed.find(
      (place) => parsePathTemplate(place.path, basePath).match(path) !== undefined,
    )?.operation;
    const history =
      found === undefined ? '' : ` ${found.id} was removed on ${found.deprecation?.sunset}.`;
    const isBase = basePath !== '' && (path === basePath || path === `${basePath}/`);
    const way = isBase ? ' This is the base path of the API. In a browser, open /_mock/.' : '';
    return `The API has no path ${path.slice(0, 200)}.${history}${way}`;
  }

  /** The address that works, where only the base path is missing. */
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
  /** It has no parameters. */
  readonly isExact: boolean;
  readonly allowed: readonly string[];
  readonly #methods = new Map<string, EndpointPlace>();
  /** Where several operations have a method. */
  readonly #rivals = new Map<string, ChooseRival>();

  constructor(
    places: readonly EndpointPlace[],
    basePath: string,
    security: readonly SecurityAlternative[],
  ) {
    // One without a fragment is what a request means.
    const ofPath = places.toSorted((a, b) => fragmentLength(a) - fragmentLength(b));
    const template = parsePathTemplate(ofPath[0]?.path ?? '', basePath);
    this.template = template;
    this.isExact = template.names.length === 0 && template.pairs === 0;
    for (const [method, [first, ...others]] of Map.groupBy(ofPath, (place) => place.method)) {
      if (first === undefined) continue;
      this.#methods.set(method, first);
      if (others.length > 0) this.#rivals.set(method, compileRivals(first, [first, ...others]));
    }
    const get = this.#methods.get('GET');
    if (get !== undefined && !this.#methods.has('HEAD')) this.#methods.set('HEAD', get);
    const described = this.#methods.get('OPTIONS');
    const allowed = [...new Set([...this.#methods.keys(), 'OPTIONS'])];
    this.allowed = allowed;
    this.#methods.set('OPTIONS', {
      operation: undefined,
      path: '',
      method: '',
      ...described,
      open: () =>
        described === undefined
          ? preflight(security, allowed)
          : withMethods(described.open(), allowed),
    });
  }

  /** Undefined where the path does not have the method. */
  placeFor(
    { method, query, headers }: Sought,
    pathTexts: readonly string[],
  ): EndpointPlace | undefined {
    return this.#rivals.get(method)?.({ pathTexts, query, headers }) ?? this.#methods.get(method);
  }
}

function fragmentLength({ path }: EndpointPlace): number {
  return path.length - withoutFragment(path).length;
}

/** A fragment of a path is never sent (RFC 9110 section 7.1). */
function withoutFragment(path: string): string {
  return path.split('#', 1)[0] ?? '';
}

/** The path and query of a request target in origin or absolute form (RFC 9112 section 3.2). */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const origin = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

/** What a document says of OPTIONS, with the methods that there are. */
function withMethods(endpoint: Endpoint, methods: readonly string[]): Endpoint {
  return {
    ...endpoint,
    act: (input, call) => {
      const outcome = endpoint.act(input, call);
      return { ...outcome, facts: { ...outcome.facts, preflight: methods } };
    },
  };
}

/** Browsers send preflights on their own and without a key, so they are not counted. */
function preflight(security: readonly SecurityAlternative[], methods: readonly string[]): Endpoint {
  return plainEndpoint(security, false, () => success(204, '', { preflight: methods }));
}

/** What distinguishes endpoints of one method and path. */
interface RivalRequest extends Pick<Sought, 'query' | 'headers'> {
  readonly pathTexts: readonly string[];
}

type ChooseRival = (request: RivalRequest) => EndpointPlace;

/**
 * Chooses among endpoints of one method and path: the first whose path parameters take the texts and
 * whose constant headers and query parameters are there, those that take least before the others;
 * else the first of the document.
 */
function compileRivals(first: EndpointPlace, places: readonly EndpointPlace[]): ChooseRival {
  let rivals: readonly Rival[] | undefined;
  return (request) => {
    rivals ??= places.map(compileRival).toSorted((one, other) => other.limits - one.limits);
    return rivals.find(({ takes }) => takes(request))?.place ?? first;
  };
}

interface Rival {
  readonly place: EndpointPlace;
  /** How many of its parameters do not take just any text. */
  readonly limits: number;
  readonly takes: (request: RivalRequest) => boolean;
}

function compileRival(place: EndpointPlace): Rival {
  const { names } = parsePathTemplate(place.path);
  const { operation } = place;
  const parameters = (operation?.parameters ?? []).filter(({ in: at }) => at === 'path');
  const constants = operation === undefined ? [] : listConstants(operation);
  return {
    place,
    limits:
      constants.length + parameters.filter((parameter) => !takes(parameter, 'any text')).length,
    takes: (request) =>
      constants.every((constant) => holds(constant, request)) &&
      parameters.every((parameter) =>
        takes(parameter, request.pathTexts[names.indexOf(parameter.name)]),
      ),
  };
}

function holds(
  { in: place, name, value }: ConstantParameter,
  { query, headers }: RivalRequest,
): boolean {
  return place === 'query'
    ? queryValues(query, name).includes(value)
    : headerText(headers, name.toLowerCase()) === value;
}

function takes({ schema }: Parameter, text: string | undefined): boolean {
  const plain = text === undefined ? undefined : decodePercent(text);
  const value = plain === undefined ? undefined : readParameterText(plain, schema.shape());
  return value !== undefined && schema.validate(value).length === 0;
}
