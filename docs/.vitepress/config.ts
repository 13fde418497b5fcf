import { defineConfig } from 'vitepress';
import { packageFile } from '../../cli/package/package-root.ts';
import { linkOutside, listPages, slugify } from '../../tools/site/page.ts';
import { renderSidebar } from '../../tools/site/sidebar.ts';

const pages = await listPages(packageFile('.'));

/** `npm run docs`: the pages of this folder as a site, with a search that needs no service. */
export default defineConfig({
  title: 'petstore-contract',
  description: 'One OpenAPI document drives a stateful mock server and a conformance suite.',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', '**/dist/**'],
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  markdown: {
    html: false,
    anchor: { slugify },
    config: (markdown) => linkOutside(markdown, pages),
  },
  themeConfig: {
    nav: [
      { text: 'Mock', link: '/docs/mock' },
      { text: 'Requirements', link: '/docs/requirements' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: renderSidebar(pages),
    search: { provider: 'local' },
    outline: [2, 3],
  },
});
