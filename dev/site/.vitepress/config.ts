import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const repository = 'https://github.com/petstore-contract/petstore-contract/blob/main';
const patterns = ['README.md', '*.md', 'docs/**/*.md', 'dev/bench/README.md'];
const pages = [...new Set(globSync(patterns, { cwd: root }))];

/** A link of a page as the site has it: files that are not pages are in the repository. */
function placeLink(link: string, page: string): string {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [file = '', hash] = link.split('#');
  const path = posix.join(posix.dirname(page), file).replace(/\/$/, '');
  const anchor = hash === undefined ? '' : `#${hash}`;
  if (path === 'README.md') return `/${anchor}`;
  return path.endsWith('.md') ? `/${path}${anchor}` : `${repository}/${path}${anchor}`;
}

/** The anchor of a heading as code hosts make it. */
function slugify(heading: string): string {
  const kept = heading.trim().toLowerCase();
  return kept.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
}

/** The pages by folder, each by its first heading. */
function renderSidebar() {
  const groups = Map.groupBy(pages.toSorted(), (path) => posix.dirname(path));
  return [...groups].map(([folder, paths]) => ({
    text: folder === '.' ? 'petstore-contract' : folder,
    collapsed: folder === 'docs/decisions',
    items: paths.map((path) => ({
      text: /^# (.*)$/m.exec(readFileSync(`${root}/${path}`, 'utf8'))?.[1] ?? path,
      link: path === 'README.md' ? '/' : `/${path.replace(/\.md$/, '')}`,
    })),
  }));
}

/** `npm run docs`: the Markdown of the project as a site, with a search that needs no service. */
export default defineConfig({
  title: 'petstore-contract',
  description: 'One OpenAPI document drives a stateful mock server and a conformance suite.',
  srcDir: root,
  srcExclude: ['**/node_modules/**', '**/dist/**', 'dev/!(bench)/**'],
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  markdown: {
    html: false,
    anchor: { slugify },
    config(markdown) {
      markdown.core.ruler.push('place-links', ({ env, tokens }) => {
        // The first page has another name on the site.
        const page = String(env.relativePath).replace(/^index\.md$/, 'README.md');
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === 'link_open' ? token.attrGet('href') : null;
          if (link !== null) token.attrSet('href', placeLink(link, page));
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Mock', link: '/docs/mock' },
      { text: 'Requirements', link: '/docs/requirements' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: renderSidebar(),
    search: { provider: 'local' },
    outline: [2, 3],
  },
});
