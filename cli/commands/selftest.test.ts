import { expect, test } from 'vitest';
import { packageFile } from '../package/package-root.ts';
import { parseJson } from '../../contract/json/value.ts';
import { startCommand } from '../../test/cli/command.ts';
import { createCommand } from '../options/command.ts';

const forms = packageFile('fixtures/documents/shapes/forms.yaml');
const vessels = packageFile('fixtures/documents/intended/closed-inheritance.yaml');
const missed = 'addBoat/request.body.oars.taken';

test('prints one line and a table by family if every mutant is found', async () => {
  const command = startCommand('selftest', forms, '--floor', '100');
  expect(await command.ended).toBe(0);
  const text = command.stdout();
  expect(text).toMatch(
    /^The suite finds (\d+) of \1 mutants of forms\.yaml \(100\.0 %\) with 60 requests each\.\n\nFamily +mutants  found  named\n/,
  );
  expect(text).toMatch(/^status +\d+ +\d+ +\d+$/m);
  expect(text).not.toContain('Missed');
});

test('exits with 1 below the floor, and lists each missed mutant with its reason', async () => {
  const command = startCommand('selftest', vessels, '--only', missed, '--floor', '95');
  expect(await command.ended).toBe(1);
  expect(command.stdout()).toContain(
    `Missed\n  ${missed}: refuses every oars (request 4: returned 400: which the document announces, for values that the suite generated)\n`,
  );
});

test.each([
  [[forms, '--only', 'nothing'], 'forms.yaml has no requirement with "nothing" in its id'],
  [
    [packageFile('fixtures/documents/troubles/webhooks-only.yaml')],
    'webhooks-only.yaml has no requirement',
  ],
])('prints no percentage if nothing was tried: %j', async (words, reason) => {
  const command = startCommand('selftest', ...words, '--floor', '95');
  expect([await command.ended, command.stdout()]).toEqual([2, '']);
  expect(command.stderr()).toContain(`There are no mutants to run: ${reason}`);
});

test('prints the same as JSON', async () => {
  const command = startCommand('selftest', '--contract', vessels, '--only', missed, '--json');
  expect(await command.ended).toBe(0);
  expect(parseJson(command.stdout())).toMatchObject({
    mutants: 1,
    found: 0,
    percent: 0,
    falseAlarms: [],
    results: [{ requirement: missed, result: 'missed' }],
  });
});

test('a command that is interrupted ends with a message', async () => {
  const error: string[] = [];
  const signal = AbortSignal.abort('SIGTERM');
  const definition = {
    name: 'selftest',
    usage: '',
    description: [],
    examples: [],
    page: '',
  } as const;
  const end = createCommand({ ...definition, flags: {}, exitCodes: [''] }, () =>
    Promise.reject(signal.reason),
  );
  const code = await end([], {
    stdout: { write: () => {} },
    stderr: { write: (text) => void error.push(text) },
    env: {},
    signal,
  });
  expect([code, error]).toEqual([2, ['petstore selftest: Stopped before the end.\n']]);
});
