import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { composePrototypeDocument, prototypeNames } from '../test/contract/prototype-names.ts';
import { runCommand, startCommand } from '../test/cli/command.ts';

function writeDocument(): string {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, composePrototypeDocument());
  return file;
}

/** A body with all names but one; that of `short` is too short. */
function bodyOf({ missing = '', short = '' }): string {
  const members = prototypeNames
    .filter((name) => name !== missing)
    .map((name): [string, string] => [name, name === short ? 'v' : `value of ${name}`]);
  return JSON.stringify(Object.fromEntries(members));
}

test('names of Object.prototype are ordinary names: mock', { timeout: 120_000 }, async () => {
  const mock = startCommand('mock', '--port=0', `--contract=${writeDocument()}`);
  const [origin] = await mock.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const add = (name: string, body: string): Promise<Response> =>
    fetch(`${origin}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  for (const name of prototypeNames) {
    const added = await add(name, bodyOf({}));
    expect([name, added.status]).toEqual([name, 201]);
    const text = await added.text();
    const [, id] = /"id":(\d+)/.exec(text) ?? [];
    for (const member of prototypeNames) expect(text).toContain(`"${member}":"value of ${member}"`);
    const item = `${origin}/${name}/${id}`;
    expect(await (await fetch(item)).text()).toBe(text);
    expect(await (await fetch(`${origin}/${name}`)).text()).toContain(text);
    for (const member of prototypeNames) {
      const refusals = [bodyOf({ missing: member }), bodyOf({ short: member })].map(
        async (body) => (await add(name, body)).status,
      );
      expect([name, member, ...(await Promise.all(refusals))]).toEqual([name, member, 400, 400]);
    }
    expect((await fetch(item, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(item)).status).toBe(404);
  }
  await mock.stop();
});

test('names of Object.prototype are ordinary names: suite', { timeout: 240_000 }, async () => {
  const file = writeDocument();
  expect((await runCommand('lint', file)).stdout).toContain('0 errors, 0 warnings');
  const { code, stdout, stderr } = await runCommand(
    'conform',
    `--contract=${file}`,
    '--requests=240',
    '--quiet',
  );
  expect(stderr).toBe('');
  expect(stdout).toMatch(/conforms to __proto__ constructor.*\b0\s+failed/s);
  expect(code).toBe(0);
});
