import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { listScenarios } from '../client/index.ts';
import { loadContract } from '../contract/index.ts';

test('docs/clients.md lists each scenario in order, and those in which the command must succeed', async () => {
  const contract = await loadContract({
    file: new URL('../openapi.yaml', import.meta.url).pathname,
  });
  const text = await readFile(new URL('clients.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## Scenarios\n([^]*?)\n## /.exec(text) ?? [];
  const rows = listScenarios(contract).map(
    ({ id, sentence, mustSucceed }) => `| \`${id}\`${mustSucceed ? ' *' : ''} | ${sentence} |`,
  );
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
