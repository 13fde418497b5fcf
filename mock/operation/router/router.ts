import type { Contract, SecurityAlternative } from '../../../contract/index.ts';
import { type Endpoint, plainEndpoint, usualSecurity } from '../endpoint.ts';
import { success } from '../response/outcome.ts';
import { type PathTemplate, countSegments, parsePathTemplate } from '../../http/path-template.ts';
import { refuse } from '../response/refusal.ts';

/** Where a request goes. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly pathValues: readonly string[];
  readonly query: string;
}

export interface Router {
  find(method: string, target: string): Route;
}

interface PathEntry {
  readonly template: PathTemplate;
  readonly methods: ReadonlyMap<string, Endpoint>;
  readonly notAllowed: Endpoint;
}

const noValues: readonly string[] = [];

const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** How requests are answered that no endpoint is for. */
export interface RouterManner {
  /** Another method of a known path is answered as an unknown path is. */
  readonly hidesMethods: boolean;
  /** Endpoints that were here once; what was theirs is told so. */
  readonly removed: readonly Endpoint[];
}

/** Paths without parameters go before templated ones (OpenAPI 3.1, Paths Object). */
export function createRouter(
  contract: Contract,
  endpoints: readonly Endpoint[],
  manner: RouterManner,
): Router {
  const security = usualSecurity(contract);
  const explain = compileExplanation(contract, manner.removed);
  const entries = compileEntries(contract, endpoints, manner, security, explain);
  const exact = new Map(
    entries
      .filter(({ template }) => template.names.length === 0)
      .map((entry) => [contract.basePath + entry.template.template, entry]),
  );
  const templated = entries
    .filter(({ template }) => template.names.length > 0)
    .toSorted((a, b) => a.template.names.length - b.template.names.length);
  const unknown = plainEndpoint(security, true, (_input, { request }) =>
    refuse('unknown_path', explain(request.target)),
  );
  const anywhere = preflight(security, usualMethods);
  return {
    find(method, target) {
      const { path, query } = splitTarget(target);
      const entry = exact.get(path);
      if (entry !== undefined)
        return { endpoint: endpointIn(entry, method), pathValues: noValues, query };
      const found =
        findTemplated(templated, method, path) ??
        (path.includes('%') ? findDecoded(exact, method, path) : undefined);
      const other = method === 'OPTIONS' ? anywhere : unknown;
      return { ...(found ?? { endpoint: other, pathValues: noValues }), query };
    },
  };
}

type Found = Omit<Route, 'query'>;

function endpointIn({ methods, notAllowed }: PathEntry, method: string): Endpoint {
  return methods.get(method) ?? notAllowed;
}

function findTemplated(
  entries: readonly PathEntry[],
  method: string,
  path: string,
): Found | undefined {
  const segments = countSegments(path);
  for (const entry of entries) {
    const { template } = entry;
    const pathValues = template.segments === segments ? template.match(path) : undefined;
    if (pathValues !== undefined) return { endpoint: endpointIn(entry, method), pathValues };
  }
  return undefined;
}

/** A path that is percent-encoded without need is the same path (RFC 3986 section 6.2.2.2). */
function findDecoded(
  exact: ReadonlyMap<string, PathEntry>,
  method: string,
  path: string,
): Found | undefined {
  const decoded = path.replace(
    /%([46][1-9A-F]|[57][0-9A]|3[0-9]|2[DE]|5F|7E)/gi,
    (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  const entry = exact.get(decoded);
  return entry && { endpoint: endpointIn(entry, method), pathValues: noValues };
}

/** The path and query of a request target in origin or absolute form (RFC 9112 section 3.2). */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
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

function compileExplanation({ basePath }: Contract, removed: readonly Endpoint[]): Explain {
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
    return `There is no path ${path.slice(0, 200)}.${history}`;
  };
}

function compileEntries(
  contract: Contract,
  endpoints: readonly Endpoint[],
  { hidesMethods }: RouterManner,
  security: readonly SecurityAlternative[],
  explain: Explain,
): readonly PathEntry[] {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return [...byPath].map(([path, ofPath]) => {
    const methods = new Map<string, Endpoint>(
      ofPath.map((endpoint) => [endpoint.method, endpoint]),
    );
    const get = methods.get('GET');
    if (get !== undefined && !methods.has('HEAD')) methods.set('HEAD', get);
    const allowed = [...new Set([...methods.keys(), 'OPTIONS'])];
    if (!methods.has('OPTIONS')) methods.set('OPTIONS', preflight(security, allowed));
    const notAllowed = plainEndpoint(security, true, (_input, { request }) =>
      hidesMethods
        ? refuse('unknown_path', explain(request.target))
        : refuse(
            'method_not_allowed',
            `${request.method} is not allowed here; ${allowed.join(', ')} are.`,
            { facts: { allow: allowed } },
          ),
    );
    return { template: parsePathTemplate(path, contract.basePath), methods, notAllowed };
  });
}

/** Browsers send preflights on their own and without a key, so they are not counted. */
function preflight(security: readonly SecurityAlternative[], methods: readonly string[]): Endpoint {
  return plainEndpoint(security, false, () => success(204, '', { preflight: methods }));
}
