import type { Contract } from '../../../contract/contract.ts';
import { decodePercent } from '../../../contract/source/percent.ts';
import type { SecurityAlternative } from '../../../contract/openapi/credential.ts';
import { type Endpoint, type EndpointPlace, plainEndpoint, usualSecurity } from '../endpoint.ts';
import { success } from '../response/outcome.ts';
import {
  compareTemplates,
  countSegments,
  parsePathTemplate,
  type PathTemplate,
} from '../../http/path-template.ts';
import type { RequestHeaders } from '../../http/message.ts';
import { refuse } from '../response/refusal.ts';
import { type ChooseRival, compileRivals } from './rivals.ts';

/** Where a request goes. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly pathTexts: readonly string[];
  readonly query: string;
}

export interface Router {
  /** `headers`: needed where operations of one path have different constant headers. */
  find(method: string, target: string, headers?: RequestHeaders): Route;
}

interface PathEntry {
  readonly template: PathTemplate;
  readonly methods: ReadonlyMap<string, EndpointPlace>;
  /** Where several operations have a method. */
  readonly rivals: ReadonlyMap<string, ChooseRival>;
  /** Answers methods that the path has not. */
  readonly notAllowed: () => Endpoint;
}

const noValues: readonly string[] = [];

const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** How requests are answered that no endpoint is for. */
export interface RouterManner {
  /** Another method of a known path is answered as an unknown path is. */
  readonly hidesMethods: boolean;
  /** Endpoints that were here once; requests to them get a response that says so. */
  readonly removed: readonly EndpointPlace[];
}

function isExact({ template }: PathEntry): boolean {
  return template.names.length === 0 && template.pairs === 0;
}

/** Paths without parameters go before templated ones (OpenAPI 3.1, Paths Object). */
export function createRouter(
  contract: Contract,
  endpoints: readonly EndpointPlace[],
  manner: RouterManner,
): Router {
  const security = usualSecurity(contract);
  const explain = compileExplanation(contract, manner.removed);
  const entries = compileEntries(contract, endpoints, manner, security, explain);
  const exact = new Map(
    entries
      .filter(isExact)
      .map((entry) => [contract.basePath + withoutFragment(entry.template.template), entry]),
  );
  const templated = Map.groupBy(
    entries
      .filter((entry) => !isExact(entry))
      .toSorted((one, other) => compareTemplates(one.template, other.template)),
    ({ template }) => template.segments,
  );
  const unknown = plainEndpoint(security, true, (_input, { request }) =>
    refuse('unknown_path', explain(request.target) + explainBase(request.method, request.target)),
  );
  const anywhere = preflight(security, usualMethods);
  const hasPairs = entries.some(({ template }) => template.pairs > 0);
  /** The address that works, where only the base path is missing. */
  const explainBase = (method: string, target: string): string => {
    const { path } = splitTarget(target);
    if (contract.basePath === '' || !path.startsWith('/')) return '';
    const { operation } = router.find(method, contract.basePath + path).endpoint;
    return operation === undefined
      ? ''
      : ` Did you mean ${contract.basePath}${path.slice(0, 200)}?`;
  };
  const router: Router = {
    find(method, target, headers = {}) {
      const { path, query } = splitTarget(target);
      const sought = { method, path, query, headers };
      const entry = exact.get(path);
      const place = entry && placeIn(entry, sought, noValues);
      if (place !== undefined && !hasPairs)
        return { endpoint: place.open(), pathTexts: noValues, query };
      const found =
        findEntry(entry, templated, sought) ??
        (path.includes('%') ? findDecoded(exact, templated, sought) : undefined);
      if (found !== undefined)
        return { endpoint: found.endpoint, pathTexts: found.pathTexts, query };
      const other = method === 'OPTIONS' ? anywhere : unknown;
      return { endpoint: other, pathTexts: noValues, query };
    },
  };
  return router;
}

type Found = Omit<Route, 'query'>;

/** What a request asks for. */
interface Sought {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
}

/** Where a request of the method goes at a path; undefined where it has no such method. */
function placeIn(
  { methods, rivals }: PathEntry,
  { method, query, headers }: Sought,
  pathTexts: readonly string[],
): EndpointPlace | undefined {
  return rivals.get(method)?.({ pathTexts, query, headers }) ?? methods.get(method);
}

/** The most concrete entry that has the method, else the most concrete one. */
function findEntry(
  exact: PathEntry | undefined,
  templated: ReadonlyMap<number, readonly PathEntry[]>,
  sought: Sought,
): Found | undefined {
  const { path, query } = sought;
  let first: Found | undefined =
    exact === undefined ? undefined : { endpoint: exact.notAllowed(), pathTexts: noValues };
  const own = exact && placeIn(exact, sought, noValues);
  for (const entry of templated.get(countSegments(path)) ?? []) {
    const { template, notAllowed } = entry;
    if (own !== undefined && template.pairs === 0) continue;
    const pathTexts = template.match(path, query);
    if (pathTexts === undefined) continue;
    const place = placeIn(entry, sought, pathTexts);
    if (place !== undefined) return { endpoint: place.open(), pathTexts };
    first ??= { endpoint: notAllowed(), pathTexts };
  }
  return own === undefined ? first : { endpoint: own.open(), pathTexts: noValues };
}

/** A path that is percent-encoded without need is the same path (RFC 3986 section 6.2.2.2). */
function findDecoded(
  exact: ReadonlyMap<string, PathEntry>,
  templated: ReadonlyMap<number, readonly PathEntry[]>,
  sought: Sought,
): Found | undefined {
  const plain = sought.path.replace(
    /%([46][1-9A-F]|[57][0-9A]|3[0-9]|2[DE]|5F|7E)/gi,
    (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  for (const path of [plain, decodePercent(plain)])
    if (path !== undefined && countSegments(path) === countSegments(sought.path)) {
      const found = findEntry(exact.get(path), templated, { ...sought, path });
      if (found !== undefined) return found;
    }
  return undefined;
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

/** Why there is no such path. */
type Explain = (target: string) => string;

function compileExplanation({ basePath }: Contract, removed: readonly EndpointPlace[]): Explain {
  const former = removed.flatMap(({ operation }) =>
    operation === undefined
      ? []
      : [{ operation, template: parsePathTemplate(operation.path, basePath) }],
  );
  return (target) => {
    const { path } = splitTarget(target);
    const found = former.find(({ template }) => template.match(path) !== undefined)?.operation;
    const history =
      found === undefined ? '' : ` ${found.id} was removed on ${found.deprecation?.sunset}.`;
    const isBase = basePath !== '' && (path === basePath || path === `${basePath}/`);
    const way = isBase ? ' This is the base path of the API. In a browser, open /_mock/.' : '';
    return `The API has no path ${path.slice(0, 200)}.${history}${way}`;
  };
}

function compileEntries(
  contract: Contract,
  endpoints: readonly EndpointPlace[],
  { hidesMethods }: RouterManner,
  security: readonly SecurityAlternative[],
  explain: Explain,
): readonly PathEntry[] {
  // Paths that differ in the names of parameters only are one path.
  const byPath = Map.groupBy(endpoints, ({ path }) =>
    withoutFragment(path).replaceAll(/\{[^{}]*\}/g, '{}'),
  );
  return [...byPath.values()].map((given) => {
    // One without a fragment is what a request means.
    const ofPath = given.toSorted((a, b) => fragmentLength(a) - fragmentLength(b));
    const methods = new Map<string, EndpointPlace>();
    for (const place of ofPath) if (!methods.has(place.method)) methods.set(place.method, place);
    const path = ofPath[0]?.path ?? '';
    const get = methods.get('GET');
    if (get !== undefined && !methods.has('HEAD')) methods.set('HEAD', get);
    const allowed = (): readonly string[] => [...new Set([...methods.keys(), 'OPTIONS'])];
    const described = methods.get('OPTIONS');
    methods.set('OPTIONS', {
      operation: undefined,
      path: '',
      method: '',
      ...described,
      open: () =>
        described === undefined
          ? preflight(security, allowed())
          : tellingMethods(described.open(), allowed()),
    });
    return {
      template: parsePathTemplate(path, contract.basePath),
      methods,
      rivals: listRivals(ofPath),
      notAllowed: () =>
        plainEndpoint(security, true, (_input, { request }) =>
          hidesMethods
            ? refuse('unknown_path', explain(request.target))
            : refuse(
                'method_not_allowed',
                `${request.method} is not allowed on this path. Allowed: ${allowed().join(', ')}.`,
                { facts: { allow: allowed() } },
              ),
        ),
    };
  });
}

const noRivals: ReadonlyMap<string, ChooseRival> = new Map();

/** By method, where several operations of a path have it. */
function listRivals(ofPath: readonly EndpointPlace[]): ReadonlyMap<string, ChooseRival> {
  if (new Set(ofPath.map(({ method }) => method)).size === ofPath.length) return noRivals;
  const rivals = new Map<string, ChooseRival>();
  for (const [method, [first, ...others]] of Map.groupBy(ofPath, (place) => place.method))
    if (first !== undefined && others.length > 0)
      rivals.set(method, compileRivals(first, [first, ...others]));
  return rivals;
}

function fragmentLength({ path }: EndpointPlace): number {
  return path.length - withoutFragment(path).length;
}

/** A fragment of a path is never sent (RFC 9110 section 7.1). */
function withoutFragment(path: string): string {
  return path.split('#', 1)[0] ?? '';
}

/** What a document says of OPTIONS, with the methods that there are. */
function tellingMethods(endpoint: Endpoint, methods: readonly string[]): Endpoint {
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
