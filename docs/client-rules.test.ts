import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compileRules } from '../client/index.ts';
import { loadContract } from '../contract/index.ts';

const rules = compileRules(
  await loadContract({ file: new URL('../openapi.yaml', import.meta.url).pathname }),
);
const text = await readFile(new URL('clients.md', import.meta.url), 'utf8');

test('docs/clients.md lists each rule in order, with how it is judged', () => {
  const [, part = ''] = /\n## The rules\n([^]*?)\n## /.exec(text) ?? [];
  const rows = rules.map(
    ({ id, level, sentence, measure, section }) =>
      `| \`${id.replace('client/', '')}\` | ${level} | ${sentence} | ${measure} | ${section} |`,
  );
  expect(part.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
