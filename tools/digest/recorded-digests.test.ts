import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { digestRecorded } from '../../cli/package/recorded-file.ts';
import { renderRecordedDigests } from './recorded-digests.ts';

test('the digests of the recorded files are those of the files: else run npm run digest', async () => {
  const code = await readFile(packageFile('cli/package/recorded-digests.ts'), 'utf8');
  expect(await renderRecordedDigests()).toBe(code);
});

test('a recorded file counts whatever ends its lines', () => {
  expect(digestRecorded('{\r\n}\r\n')).toBe(digestRecorded('{\n}\n'));
});
