import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** A page of the documentation. */
export interface Page {
  /** In the project: `docs/mock.md`. */
  readonly path: string;
  /** Its first heading. */
  readonly title: string;
}

/** Where pages are, in the order of the site. */
const places = [
  'README.md',
  'CHANGELOG.md',
  'docs/*.md',
  'docs/{decisions,reports}/**/*.md',
  'bench/README.md',
];

/** The pages of a project, by path. */
export async function listPages(root: string): Promise<readonly Page[]> {
  const paths = (await Array.fromAsync(glob([...places], { cwd: root }))).toSorted();
  return await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      return { path, title: /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path };
    }),
  );
}

/** Of a Markdown parser what is needed to see its links. */
interface MarkdownParser {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: ParsedPage) => void): void;
    };
  };
}

interface ParsedPage {
  readonly env: { readonly relativePath?: string };
  readonly tokens: readonly Token[];
}

interface Token {
  readonly type: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Has links to files that are no pages lead to the repository, where they are. */
export function linkOutside(markdown: MarkdownParser, pages: readonly Page[]): void {
  const known = new Set(pages.map(({ path }) => path));
  markdown.core.ruler.push('link-outside', ({ env, tokens }) => {
    // The first page has another name on the site.
    const page = (env.relativePath ?? '').replace(/^index\.md$/, 'README.md');
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === 'link_open' ? token.attrGet('href') : null;
      if (link !== null) token.attrSet('href', placeLink(link, page, known));
    }
  });
}

const repository = 'https://github.com/petstore-contract/petstore-contract/blob/main';

/** A link of a page as the site has it. */
export function placeLink(link: string, page: string, pages: ReadonlySet<string>): string {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [file = '', hash] = link.split('#');
  const path = posix.join(posix.dirname(page), file).replace(/\/$/, '');
  const anchor = hash === undefined ? '' : `#${hash}`;
  if (path === 'README.md') return `/${anchor}`;
  // A page that is not there stays a link to a page, so that the build refuses it.
  const isPage = pages.has(path) || path.endsWith('.md');
  return isPage ? `/${path}${anchor}` : `${repository}/${path}${anchor}`;
}

/** The anchor of a heading as code hosts make it, so that links hold in both places. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
