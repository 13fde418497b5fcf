/** A section of the page, and the sandbox that it is about: `#/requests?sandbox=alice`. */
export interface Route {
  readonly section: string;
  readonly sandbox: string;
}

export const firstSection = 'start';

/** The route of a fragment; the first section and `main` where it names none. */
export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?');
  return {
    section: path === '' ? firstSection : path,
    sandbox: new URLSearchParams(query).get('sandbox') ?? 'main',
  };
}

/** The fragment of a route; `main` is not named. */
export function renderRoute({ section, sandbox }: Route): string {
  const query = sandbox === 'main' ? '' : `?${new URLSearchParams({ sandbox }).toString()}`;
  return `#/${section}${query}`;
}
