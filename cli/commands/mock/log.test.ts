import { expect, test } from 'vitest';
import { startCommand } from '../../testing/command.ts';

test('--log json has an object for each request, and no key', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch', '--log', 'json');
  const [, url = ''] = await command.printed(/is mocked at (\S+)/);
  await fetch(`${url}/pets?limit=0`, { headers: { authorization: 'Bearer free_a' } });
  const [, line = ''] = await command.printed(/(\{"kind":"request".*\})\n/);
  expect(JSON.parse(line)).toMatchObject({
    kind: 'request',
    operation: 'listPets',
    status: 400,
    sandbox: 'a',
    refusal: { check: 'parameters' },
    rate: { remaining: 59, resetAt: expect.stringMatching(/Z$/) },
  });
  expect(line).not.toContain('free_a');
  await command.stop();
});

test('--log json has the length of a body and not the body, in which a key may stand', async () => {
  const command = startCommand('mock', '--port', '0', '--no-watch', '--log', 'json');
  const [, url = ''] = await command.printed(/is mocked at (\S+)/);
  const body = '{"name":"free_alice","categoryId":1}';
  await fetch(`${url}/pets?key=free_alice`, {
    method: 'POST',
    headers: { authorization: 'Bearer free_alice', 'content-type': 'application/json' },
    body,
  });
  const [, line = ''] = await command.printed(/(\{"kind":"request".*\})\n/);
  expect(JSON.parse(line)).toMatchObject({
    operation: 'createPet',
    target: '/v1/pets?key=[key]',
    keyInTarget: true,
    bodyLength: body.length,
  });
  expect(Object.keys(JSON.parse(line))).not.toContain('content');
  expect(line.length).toBeLessThan(500);
  await command.stop();
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
    / 503 .* GET .*\n {9}fault: status 503, which breaks the contract: listPets documents no 503\.\n/,
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
