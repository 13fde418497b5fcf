/** A section of the page, the sandbox that it is about, and what the section adds: `#/requests?sandbox=alice&status=4xx`. */
export interface Route {
  readonly section: string;
  readonly sandbox: string;
  /** Members of the section's own, such as its filters; none is empty. */
  readonly query: RouteQuery;
}

export type RouteQuery = Readonly<Record<string, string>>;

export const firstSection = 'start';

/** The route of a fragment; the first section and `main` where it names none. */
export function parseRoute(fragment: string): Route {
  const [path = '', text = ''] = fragment.replace(/^#\/?/, '').split('?');
  const { sandbox = 'main', ...query } = Object.fromEntries(new URLSearchParams(text));
  return { section: path === '' ? firstSection : path, sandbox, query };
}

/** The fragment of a route; `main` and empty members are not named. */
export function renderRoute({
  section,
  sandbox,
  query = {},
}: Omit<Route, 'query'> & Partial<Route>): string {
  const members = { ...(sandbox === 'main' ? {} : { sandbox }), ...query };
  const text = new URLSearchParams(
    Object.entries(members).filter(([, value]) => value !== ''),
  ).toString();
  return `#/${section}${text === '' ? '' : `?${text}`}`;
}
