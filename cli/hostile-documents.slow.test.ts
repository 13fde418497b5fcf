import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type HostileDocument, listHostileDocuments } from '../test/contract/hostile-documents.ts';
import { packageFile } from './package/package-root.ts';

/** Prints the status of a mock's response to `GET /hostile` for the document in a file. */
const answer = `
  const { loadContract } = await import(process.argv[1] + '/contract/index.ts');
  const { createMock } = await import(process.argv[1] + '/mock/index.ts');
  const mock = await createMock(await loadContract(process.argv[2]));
  const { status } = await mock.fetch(new Request('http://localhost/hostile'));
  console.log(status);
  await mock.close();
`;

/** Ends by itself, in 300 MB of heap. */
function lint({ file, text }: HostileDocument): Promise<{ code: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), text);
  const argv = ['--max-old-space-size=300', packageFile('cli/petstore.ts'), 'lint', file];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: folder, maxBuffer: 2 ** 26 }, (error, ...output) => {
      resolve({ code: error === null ? 0 : error.code, output: output.join('') });
    });
  });
}

test.each(['wide/inheritance', 'wide/parameters', 'wide/costly-patterns'])(
  'the mock answers for %s in 300 MB of heap',
  { timeout: 120_000 },
  async (name) => {
    const document = [...listHostileDocuments()].find((one) => one.name === name);
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, document?.text ?? '');
    const argv = ['--max-old-space-size=300', '--input-type=module', '-e', answer];
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...argv, packageFile('.'), file], (_error, ...texts) =>
        resolve(texts.join('')),
      );
    });
    expect(output).toMatch(/^200\n/);
  },
);

test.each([...listHostileDocuments()])(
  '$name ends with what is wrong, and no stack',
  { timeout: 120_000 },
  async (document) => {
    const { code, output } = await lint(document);
    expect(document.isRefused === true ? [2] : [0, 1]).toContain(code);
    expect(output).not.toMatch(/^\s+at .*[(:]|heap|RangeError/m);
    expect(output).toContain(document.told ?? '');
  },
);
