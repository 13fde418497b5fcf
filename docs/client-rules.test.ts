import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compileRules } from '../client/index.ts';
import { loadContract } from '../contract/index.ts';

test('docs/clients.md tells each rule, in order, and how it is judged', async () => {
  const contract = await loadContract({
    file: new URL('../openapi.yaml', import.meta.url).pathname,
  });
  const text = await readFile(new URL('clients.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## The rules\n([^]*?)\n## /.exec(text) ?? [];
  const rows = compileRules(contract).map(
    ({ id, level, sentence, measure, section: source }) =>
      `| \`${id.replace('client/', '')}\` | ${level} | ${sentence} | ${measure} | ${source} |`,
  );
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
