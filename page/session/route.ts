/** What the page shows: `#/sandboxes/faults?sandbox=alice`. */
export interface Route {
  readonly section: string;
  /** A page within the section; empty for its first. */
  readonly part: string;
  readonly sandbox: string;
  /** Members of the section's own, such as its filters; none is empty. */
  readonly query: RouteQuery;
}

export type RouteQuery = Readonly<Record<string, string>>;

export const firstSection = 'start';

/** The route of a fragment; the first section and `main` where it names none. */
export function parseRoute(fragment: string): Route {
  const [path = '', text = ''] = fragment.replace(/^#\/?/, '').split('?');
  const [section = '', part = ''] = path.split('/');
  const { sandbox = 'main', ...query } = Object.fromEntries(new URLSearchParams(text));
  return { section: section === '' ? firstSection : section, part, sandbox, query };
}

/** The fragment of a route; `main` and empty members are not named. */
export function renderRoute({
  section = firstSection,
  part = '',
  sandbox = 'main',
  query = {},
}: { readonly [Name in keyof Route]?: Route[Name] | undefined }): string {
  const members = { ...(sandbox === 'main' ? {} : { sandbox }), ...query };
  const given = Object.entries(members).filter(([, value]) => value !== '');
  const text = new URLSearchParams(given).toString();
  return `#/${section}${part === '' ? '' : `/${part}`}${text === '' ? '' : `?${text}`}`;
}
