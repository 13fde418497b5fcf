import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { levelDurations, renderConsolePage } from './page.ts';
import { stripColours } from './picture.ts';
import { recordConsole, scenes } from './sequence.ts';

const written = await recordConsole();

test('docs/console-log.md and its picture are current but for durations: else run `npm run console`', async () => {
  const { page, picture } = renderConsolePage(written);
  const kept = async (file: string): Promise<string> =>
    levelDurations(await readFile(packageFile(file), 'utf8'));
  expect(await kept('docs/console-log.md')).toBe(levelDurations(page));
  expect(await kept('docs/console-log.svg')).toBe(levelDurations(picture));
});

test('what is shown fits 100 columns, and no key is in the log', () => {
  const lines = stripColours(written).split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  const log = lines.slice(lines.findIndex((line) => line.startsWith('12:00:00'))).join('\n');
  expect(scenes.filter(({ key }) => key !== undefined && log.includes(key))).toEqual([]);
  expect(log.match(/^\d\d:\d\d:\d\d [1-5]\d\d /gm)).toHaveLength(scenes.length);
});

test('NO_COLOR and a dumb terminal have no colours', async () => {
  const escape = '\u001B';
  expect([
    written.includes(escape),
    (await recordConsole({ NO_COLOR: '1' })).includes(escape),
    (await recordConsole({ TERM: 'dumb' })).includes(escape),
  ]).toEqual([true, false, false]);
});
