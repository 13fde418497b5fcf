import { expect, test } from 'vitest';
import { showCommand } from './shown-command.ts';

const secret = 's3cret-Value+/é';

test.each<[readonly string[], string]>([
  [[`--token=${secret}`], '--token=[redacted]'],
  [['--token', secret, 'x'], '--token [redacted] x'],
  [[`--api-key=${secret}`, '--n=1'], '--api-key=[redacted] --n=1'],
  [['-u', `me:${secret}`], '-u [redacted]'],
  [['--password', secret], '--password [redacted]'],
  [[`API_TOKEN=${secret}`], 'API_TOKEN=[redacted]'],
  [['-H', `X-Api-Key: ${secret}`], '-H X-Api-Key:[redacted]'],
  [['-H', `Authorization: Bearer ${secret}`], '-H Authorization: Bearer [redacted]'],
  [[`https://me:${encodeURIComponent(secret)}@a.example/`], 'https://[redacted]@a.example/'],
  [
    [`https://a.example/?a=1&access_token=${encodeURIComponent(secret)}&b=2`],
    'https://a.example/?a=1&access_token=[redacted]&b=2',
  ],
  [[`--token=${secret}`, '--again', secret], '--token=[redacted] --again [redacted]'],
])('the secret of %j is not shown', (args, shown) => {
  const { text, redact } = showCommand(['node', 'client.js', ...args]);
  expect(text).toBe(`node client.js ${shown}`);
  expect(redact(`I got ${secret}, or ${secret.toUpperCase()}`)).not.toMatch(/s3cret/i);
});

test.each([
  ['npm', 'run', 'e2e', '--', '--reporter=dot'],
  ['node', '--test', 'token.test.js', 'http://127.0.0.1:4010/v1?limit=2'],
  ['sh', '-c', 'a=1 b=2 node client.js'],
])('a command without secrets stays: %s %s %s', (...command) => {
  expect(showCommand(command).text).toBe(command.join(' '));
});
