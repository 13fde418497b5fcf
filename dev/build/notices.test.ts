import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderNotices } from './notices.ts';

test('a bundled package has its name, version, licence and notice', async () => {
  const text = await renderNotices([packageFile('node_modules/yaml/dist/index.js')]);
  expect(text).toMatch(/^yaml \d+\.\d+\.\d+ \(ISC\)\n\nCopyright /m);
});

test('a package that is not listed is not bundled', async () => {
  const modules = [packageFile('node_modules/vitest/dist/index.js')];
  await expect(renderNotices(modules)).rejects.toThrow('vitest would be bundled');
});

test('a package under a licence that is not allowed is not bundled', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'notices-')), 'node_modules/yaml');
  await mkdir(folder, { recursive: true });
  for (const license of ['GPL-3.0-only', 'UNLICENSED', '', undefined]) {
    const manifest = { name: 'yaml', version: '1.0.0', license };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await expect(renderNotices([join(folder, 'index.js')])).rejects.toThrow('is not allowed');
  }
});
