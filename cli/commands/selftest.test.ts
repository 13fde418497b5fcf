import { expect, test } from 'vitest';
import { packageFile } from '../package/package-root.ts';
import { parseJson } from '../../contract/json/value.ts';
import { startCommand } from '../../test/cli/command.ts';
import { createCommand } from '../options/command.ts';

const forms = packageFile('fixtures/documents/shapes/forms.yaml');
const uuid = packageFile('fixtures/documents/shapes/uuid.yaml');

test('one line, a table by family, and no more where all is found', async () => {
  const command = startCommand('selftest', forms, '--floor', '100');
  expect(await command.ended).toBe(0);
  const text = command.stdout();
  expect(text).toMatch(
    /^The suite finds (\d+) of \1 mutants of forms\.yaml \(100\.0 %\) with 60 requests each\.\n\nFamily +mutants  found  named\n/,
  );
  expect(text).toMatch(/^status +\d+ +\d+ +\d+$/m);
  expect(text).not.toContain('Missed');
});

test('below the floor the exit code is 1, and what was missed has its reason', async () => {
  const command = startCommand('selftest', uuid, '--only', 'state.id-assigned', '--floor', '95');
  expect(await command.ended).toBe(1);
  expect(command.stdout()).toContain(
    'Missed\n  addLocker/state.id-assigned: takes the identifier that a client sends (no response in this run shows it)\n',
  );
});

test('the same as JSON', async () => {
  const command = startCommand(
    'selftest',
    '--contract',
    uuid,
    '--only',
    'state.id-assigned',
    '--json',
  );
  expect(await command.ended).toBe(0);
  expect(parseJson(command.stdout())).toMatchObject({
    mutants: 1,
    found: 0,
    percent: 0,
    falseAlarms: [],
    results: [{ requirement: 'addLocker/state.id-assigned', result: 'missed' }],
    withoutMutant: [],
  });
});

test('a signal ends it with a sentence, during a run and between two', async () => {
  const during = startCommand('selftest', forms);
  await during.stop();
  expect(await during.ended).toBe(2);
  expect(during.stderr()).toMatch(/^petstore selftest: The run was interrupted after \d+ requests/);
  const error: string[] = [];
  const signal = AbortSignal.abort('SIGTERM');
  const form = { name: 'selftest', takes: '', about: [], examples: [], page: '' } as const;
  const end = createCommand({ ...form, flags: {}, exits: [''] }, () =>
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
