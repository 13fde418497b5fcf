import type { Page } from './page.ts';

/** A group of pages beside the text. */
export interface SidebarGroup {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: { readonly text: string; readonly link: string }[];
}

/** The pages of `docs/` by what a reader is about to do. Those that stand nowhere come last. */
const groups: readonly (readonly [text: string, names: readonly string[]])[] = [
  [
    'A server to develop against',
    ['mock', 'page', 'stubs', 'state', 'integrations', 'runtimes', 'configuration', 'container'],
  ],
  ['Any OpenAPI document', ['lint', 'resources', 'extensions', 'overlay', 'corpus']],
  ['A gate for a server', ['ci', 'reports', 'fuzzing', 'traffic', 'diff', 'test-runners']],
  ['Proof', ['partners', 'certificates', 'clients']],
  ['The requirements', ['requirements', 'inputs', 'open-questions', 'interface-map']],
];

/** The pages in groups, each page once. */
export function renderSidebar(pages: readonly Page[]): SidebarGroup[] {
  const grouped = groups.map(([text, names]) => ({
    text,
    items: names
      .flatMap((name) => pages.filter(({ path }) => path === `docs/${name}.md`))
      .map(linkTo),
  }));
  const named = new Set(groups.flatMap(([, names]) => names.map((name) => `docs/${name}.md`)));
  const others = pages.filter(({ path }) => !named.has(path));
  return [
    ...grouped,
    { text: 'More', items: others.filter((page) => !isDecision(page)).map(linkTo) },
    { text: 'Decisions', collapsed: true, items: others.filter(isDecision).map(linkTo) },
  ];
}

function linkTo({ path, title }: Page) {
  return { text: title, link: path === 'README.md' ? '/' : `/${path.replace(/\.md$/, '')}` };
}

function isDecision({ path }: Page): boolean {
  return path.startsWith('docs/decisions/');
}
