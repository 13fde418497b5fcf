import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { findDeadLinks } from './dead-links.ts';
import { listPages, placeLink, slugify } from './page.ts';
import { renderSidebar } from './sidebar.ts';

const pages = await listPages(packageFile('.'));

test('every page is beside the text once', () => {
  const links = renderSidebar(pages).flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.toSorted()).toEqual(
    pages
      .map(({ path }) => (path === 'README.md' ? '/' : `/${path.replace('.md', '')}`))
      .toSorted(),
  );
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['docs/mock.md', 'docs/decisions/003-oxlint.md', 'CHANGELOG.md']),
  );
});

test.each([
  ['mock.md#faults', 'docs/page.md', '/docs/mock.md#faults'],
  ['docs/mock.md', 'README.md', '/docs/mock.md'],
  ['../README.md#clients-too', 'docs/mock.md', '/#clients-too'],
  [
    '../openapi.yaml',
    'docs/mock.md',
    expect.stringMatching(/^https:.*\/blob\/main\/openapi\.yaml$/),
  ],
  ['docs/decisions', 'README.md', expect.stringMatching(/^https:.*\/main\/docs\/decisions$/)],
  ['nowhere.md', 'docs/mock.md', '/docs/nowhere.md'],
  ['https://a.example/b', 'docs/mock.md', 'https://a.example/b'],
  ['#faults', 'docs/mock.md', '#faults'],
])('%s of %s leads to %s', (link, page, placed) => {
  expect(placeLink(link, page, new Set(pages.map(({ path }) => path)))).toEqual(placed);
});

test.each([
  ['What goes first', 'what-goes-first'],
  ['`petstore lint`: the list', 'petstore-lint-the-list'],
  ['Stop, wait & go – 429', 'stop-wait--go--429'],
])('%j has the anchor that code hosts give it', (heading, anchor) => {
  expect(slugify(heading)).toBe(anchor);
});

test('a link to no page, file or heading is found', () => {
  const text = (...links: readonly string[]): string =>
    `<h2 id="here">${links.map((link) => `<a class="x" href="${link}">x</a>`).join('')}`;
  const site = new Map([
    ['index.html', text('/docs/a', '/docs/a#here', '#here', 'https://x.example', '/a.json', '/')],
    ['docs/a.html', text('/docs/b', '#there', 'a#here', '/docs/a#there', '/#here')],
  ]);
  expect(findDeadLinks(site, new Set([...site.keys(), 'a.json']))).toEqual([
    'docs/a.html: /docs/b',
    'docs/a.html: #there',
    'docs/a.html: /docs/a#there',
  ]);
});

describe('the site', () => {
  let folder = '';
  let files: readonly string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-site-'));
    const tool = packageFile('node_modules/vitepress/bin/vitepress.js');
    // A link to a page that is not there fails the build.
    await promisify(execFile)(process.execPath, [tool, 'build', 'docs', '--outDir', folder], {
      cwd: packageFile('.'),
      env: { ...process.env, NODE_ENV: 'production', VITEST: '' },
    });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  }, 400_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('has a page for each page, and no dead link', async () => {
    const texts = new Map<string, string>();
    for (const path of files.filter((file) => file.endsWith('.html')))
      texts.set(path, await readFile(join(folder, path), 'utf8'));
    expect(texts.size).toBe(pages.length + 1);
    expect(findDeadLinks(texts, new Set(files))).toEqual([]);
    expect(texts.get('docs/mock.html')).toContain('href="/docs/configuration"');
  });

  test('is searched by an index of its own, which has every page', async () => {
    const index = files.find((file) => file.includes('localSearchIndex')) ?? '';
    const text = await readFile(join(folder, index), 'utf8');
    for (const page of ['/docs/mock', '/docs/configuration', '/docs/decisions/003-oxlint'])
      expect(text).toContain(`"${page}`);
  });

  test('loads nothing of another host', async () => {
    const loaded = /(?:src|href)="https?:\/\/[^"]*\.(?:js|css|woff2?)"|@import|fonts\.g/;
    for (const file of files.filter((each) => /\.(?:html|css)$/.test(each)))
      expect([file, loaded.exec(await readFile(join(folder, file), 'utf8'))]).toEqual([file, null]);
  });
});
