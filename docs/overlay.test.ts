import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCommand } from '../test/cli/command.ts';

const page = await readFile(new URL('overlay.md', import.meta.url), 'utf8');

test('the example is an invalid document, and an overlay that corrects it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overlay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [library = '', overlay = ''] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(
    ([, text = '']) => text,
  );
  const [document, changes] = [join(folder, 'library.yaml'), join(folder, 'overlay.yaml')];
  await Promise.all([writeFile(document, library), writeFile(changes, overlay)]);

  const before = startCommand('lint', document);
  await before.ended;
  expect(before.stdout()).toContain('#/components/schemas/Shelf/properties/code/example');
  const after = startCommand('lint', document, '--overlay', changes);
  expect(await after.ended).toBe(0);
  expect(after.stdout()).toBe('0 errors, 0 warnings, 0 hints\n');

  const files = ['--contract', document, '--overlay', changes];
  const mock = startCommand('mock', '--port', '0', '--no-watch', ...files);
  onTestFinished(() => mock.stop());
  const [, url = ''] = await mock.printed(/is mocked at (\S+)/);
  const [shelf] = JSON.parse(await (await fetch(`${url}/shelves`)).text());
  expect(shelf).toEqual({ code: expect.any(String), room: expect.any(String) });
  const same = await fetch(`${url}/shelves/${shelf.code}`);
  expect(await same.json()).toEqual(shelf);
});
