import { fileURLToPath, pathToFileURL } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { projectRoot } from '../dev/check/project-files.ts';

/** A block of TypeScript in a page, and what its mark (` ```ts mark`) says about it. */
export interface Snippet {
  readonly mark: string;
  readonly code: string;
  /** What each `console.log` prints, from the comments behind them. */
  readonly prints: readonly string[];
}

/** The blocks of TypeScript of a Markdown text, in order. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  return [...markdown.matchAll(/^```ts ?(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, mark = '', code = '']) => ({
      mark,
      code,
      prints: [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(
        ([, text = '']) => text,
      ),
    }),
  );
}

/**
 * The code with this package's names replaced by the addresses of its source, and other packages by
 * theirs, so that it runs anywhere. `find` gives the address of a package.
 */
export function linkSnippet({ code }: Snippet, find: (name: string) => string): string {
  return code.replace(/'([^'\n]+)'(?=;$|\)+)/gm, (quoted, name: string) => {
    if (/^petstore-contract(\/|$)/.test(name)) return `'${sourceOf(name)}'`;
    return /^(msw|undici|vitest)(\/|$)/.test(name) ? `'${find(name)}'` : quoted;
  });
}

/** Where the source of an entry of `exports` is: `petstore-contract/mock` is `mock/index.ts`. */
function sourceOf(name: string): string {
  const [entry = '', suffix = ''] = name.replace('petstore-contract', '.').split('?');
  const exported: Readonly<
    Record<string, string | { readonly default?: string; readonly types?: string }>
  > = manifest.exports;
  const target = exported[entry] ?? '';
  const path = typeof target === 'string' ? target : (target.default ?? target.types ?? '');
  const url = new URL(
    path.replace('./dist/', './').replace(/\.js$/, '.ts'),
    pathToFileURL(`${projectRoot}/`),
  ).href;
  return suffix === '' ? url : `${fileURLToPath(url)}?${suffix}`;
}
