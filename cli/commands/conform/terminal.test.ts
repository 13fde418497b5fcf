import { expect, test } from 'vitest';
import { petstore } from '../../../test/contract/petstore.ts';
import { createMock } from '../../../mock/index.ts';
import { countColumns } from '../../../report/text/layout.ts';
import { runPetstore } from '../../main.ts';

/** What a command writes to a terminal of this width in columns, by line. */
const linesOf = async (columns: number, ...argv: readonly string[]): Promise<readonly string[]> => {
  const written: string[] = [];
  const sink = { write: (text: string) => written.push(text), isTTY: true, columns };
  await runPetstore(argv, {
    stdout: sink,
    stderr: sink,
    env: { NO_COLOR: '1' },
    signal: new AbortController().signal,
  });
  return written
    .join('')
    .replaceAll('\u001B[K', '')
    .split(/[\r\n]/);
};

test.each([80, 120])(
  'the output of a run fits %d columns, except for text to copy',
  async (columns) => {
    const mock = createMock(petstore);
    const listening = await mock.listen();
    (await mock.control()).sandbox('a').addFault({ status: 500, probability: 0.3 });
    const url = ['--base-url', listening.url];
    const argv = ['conform', ...url, '--api-key', 'free_a', '--plan', 'free', '--requests', '30'];
    const lines = await linesOf(columns, ...argv);
    await listening.close();
    expect(lines.length).toBeGreaterThan(40);
    expect(
      lines.filter((line) => countColumns(line) > columns && !/^ +(?:curl|replay) /.test(line)),
    ).toEqual([]);
  },
);

test('a plan is printed even if no request is granted', async () => {
  const mock = createMock(petstore);
  (await mock.control()).sandbox('a').addFault({ status: 500 });
  const listening = await mock.listen();
  const lines = await linesOf(200, 'conform', listening.url, '--api-key', 'free_a');
  await listening.close();
  expect(lines.filter((line) => line.startsWith('Testing '))).toHaveLength(1);
});

test('an error is wrapped between words on a terminal', async () => {
  const lines = await linesOf(50, 'conform', '--plan', 'gold');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => countColumns(line) > 50)).toEqual([]);
});
