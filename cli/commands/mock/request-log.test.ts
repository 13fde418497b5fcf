import { expect, test } from 'vitest';
import { startCommand } from '../../../test/cli/command.ts';

test('a hint is printed below its line, and only once', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch');
  const [, url = ''] = await command.printed(/is mocked at (\S+)/);
  const headers = { authorization: 'Bearer free_a' };
  await fetch(`${url}/pets?limt=3`, { headers });
  await command.printed(
    / 200 .* GET \/v1\/pets\?limt=3 {2}listPets\n {9}hint: Unknown query parameter limt; did you mean limit\?\n/,
  );
  await fetch(`${new URL(url).origin}/pets`, { headers });
  await command.printed(/ 404 .*\n {9}unknown_path: .* Did you mean \/v1\/pets\?\n/);
  await fetch(`${url}/pest`, { headers });
  await command.printed(/ 404 .*\n {9}unknown_path: .*\n {9}hint: Did you mean GET \/v1\/pets\?\n/);
  await command.stop();
  expect(command.stdout().match(/Did you mean/g)).toHaveLength(2);
});

test('the log for people names sandbox, fault and preference', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch');
  const [, url = ''] = await command.printed(/is mocked at (\S+)/);
  const headers = { authorization: 'Bearer free_a' };
  await fetch(`${url}/pets`, { headers: { ...headers, prefer: 'example=none' } });
  const [first] = await command.printed(
    /\d\d:\d\d:\d\d 200 +\d+\.\d ms {3}59 left {2}a Free {8}GET \/v1\/pets {2}listPets\n {9}preferred: example=none\n/,
  );
  await fetch(`${new URL(url).origin}/_mock/sandboxes/a/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"status":503}',
  });
  await fetch(`${url}/pets`, { headers });
  await command.printed(
    / 503 .* GET .*\n {9}fault: status 503, which breaks the contract: listPets does not document status 503\.\n/,
  );
  expect(first).not.toContain('free_a');
  await command.stop();
});

test.each([
  [['--log', 'xml'], '--log must be text or json, not "xml".'],
  [
    ['--control-cors', 'localhost'],
    '--control-cors must be an origin such as http://localhost:5173, not "localhost".',
  ],
  [['--control-token', ''], '--control-token must not be empty.'],
  [['--sandboxes', '0'], '--sandboxes must be a whole number from 1 to 1000000, not "0".'],
])('%j cannot be used', async (argv, reason) => {
  const command = startCommand('mock', '--port', '0', ...argv);
  expect([await command.ended, command.stderr()]).toEqual([2, `petstore mock: ${reason}\n`]);
});
