/** The shown part of the page: `#/sandboxes/faults?sandbox=alice`. */
export interface Route {
  readonly section: string;
  /** A page within the section; empty for its first. */
  readonly part: string;
  readonly sandbox: string;
  /** The section's own state, such as its filters; no value is empty. */
  readonly query: RouteQuery;
}

export type RouteQuery = Readonly<Record<string, string>>;

const firstSection = 'start';

/** The route of a fragment; by default the first section and `main`. */
export function parseRoute(fragment: string): Route {
  const [path = '', text = ''] = fragment.replace(/^#\/?/, '').split('?');
  const [section = '', part = ''] = path.split('/');
  const { sandbox = 'main', ...query } = Object.fromEntries(new URLSearchParams(text));
  return { section: section === '' ? firstSection : section, part, sandbox, query };
}

/** The fragment of a route, without `main` and empty members. */
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
