import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compileRules } from '../client/index.ts';
import { loadContract } from '../contract/index.ts';

const rules = compileRules(
  await loadContract({ file: new URL('../openapi.yaml', import.meta.url).pathname }),
);
const text = await readFile(new URL('clients.md', import.meta.url), 'utf8');

/** The rows of the table in a section. */
const rowsIn = (title: string): readonly string[] => {
  const [, section = ''] = new RegExp(`\\n## ${title}\\n([^]*?)\\n## `).exec(text) ?? [];
  return section.split('\n').filter((line) => line.startsWith('| `'));
};

test('docs/clients.md tells each rule, in order, and how it is judged', () => {
  const rows = rules.map(
    ({ id, level, sentence, measure, section }) =>
      `| \`${id.replace('client/', '')}\` | ${level} | ${sentence} | ${measure} | ${section} |`,
  );
  expect(rowsIn('The rules')).toEqual(rows);
});

test('docs/clients.md tells what a client has to do for each rule, and to whom it does not apply', () => {
  const rows = rules.map(
    ({ id, needs, spares = '' }) => `| \`${id.replace('client/', '')}\` | ${needs} | ${spares} |`,
  );
  expect(rowsIn('What a client has to do')).toEqual(rows);
});
