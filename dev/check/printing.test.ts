import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTest, listProjectFiles, projectRoot } from './project-files.ts';

/** The folders of the program: what it prints goes through the sinks of cli/io/command-io.ts. */
const program = /^(certificate|cli|client|conformance|contract|mock|page|report|traffic)\/.*\.ts$/;

/** Ways around the sinks, and around the type of what they take, with the files that need them. */
const ways: readonly (readonly [way: RegExp, ...files: readonly RegExp[]])[] = [
  [/\bprocess\.std(out|err)\b|\bstd(out|err)\b.*from 'node:process'/, /^cli\/petstore\.ts$/],
  [/\bconsole\s*\.\s*\w+\(/, /^page\/service\/fetch-snippet\.ts$/],
  [/\b(emitWarning|writeSync|process\.report)\s*\(/, /^mock\/state\/file\//],
  [/\bas (unknown as )?VisibleText\b|\bis VisibleText\b|@ts-(ignore|expect-error|nocheck)/],
  // It changes a visible text, and trusts its caller that nothing foreign is added.
  [/\breshape\(/, /^page\/view\//, /^report\/(text\/|annotation)/, /^cli\/io\/command-io/],
];

const findWays = (path: string, text: string): readonly string[] =>
  ways
    .filter(([way, ...files]) => way.test(text) && !files.some((file) => file.test(path)))
    .map(([way]) => `${path}: ${way.source}`);

test('only sinks print, and only text that passed showLine', () => {
  const paths = listProjectFiles().filter((path) => program.test(path) && !isTest(path));
  expect(paths.length).toBeGreaterThan(300);
  const found = paths.flatMap((path) =>
    findWays(path, readFileSync(join(projectRoot, path), 'utf8')),
  );
  expect(found).toEqual([]);
});

test.for([
  ['process.stdout.write(`${title}\\n`)'],
  ["import { stderr } from 'node:process'"],
  ['console.log(title)'],
  ['const shown = title as VisibleText'],
  ['reshape(shown, () => title)'],
])('%s is detected', ([text = '']) => {
  expect(findWays('cli/commands/x/run.ts', text)).toHaveLength(1);
});
