import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reportFileNames } from '../../../report/index.ts';
import { startCommand } from '../../../test/cli/command.ts';
import { startPlainServer } from '../../../test/cli/plain-server.ts';

const limited: RequestListener = (_request, response) => {
  const reset = Math.floor(Date.now() / 1000) + 91;
  response.writeHead(429, {
    'content-type': 'application/json',
    'retry-after': '91',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': `${reset}`,
  });
  response.end('{"code":"limited","message":"Not now.","status":429}');
};

async function conform(server: RequestListener, ...flags: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-inconclusive-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const baseUrl = await startPlainServer(server);
  const common = ['--base-url', baseUrl, '--api-key', 'some-key', '--report', folder, '--quiet'];
  const command = startCommand('conform', ...common, ...flags);
  return { command, folder };
}

test('an exhausted quota is reported on the first line, in every file and by exit code 2', async () => {
  const { command, folder } = await conform(limited);
  expect(await command.ended).toBe(2);
  expect(command.stdout()).toMatch(
    /^Inconclusive: http:\S+ could not be fully judged against Petstore 1.0.0: rate\slimit:\sthe\starget\sasks for a wait/,
  );
  const texts = await Promise.all(
    ['report.html', 'junit.xml', 'summary.md', 'report.json'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  );
  for (const text of texts) expect(text).toContain('the target asks for a wait of 91 seconds');
  expect(texts[1]).toContain('errors="1"');
}, 60_000);

test('a run against a silent target ends at the time limit and writes all report files', async () => {
  const { command, folder } = await conform(() => {}, '--time-limit', '1');
  expect(await command.ended).toBe(2);
  expect(command.stdout()).toContain('time limit: the run took 1 seconds (--time-limit)');
  expect((await readdir(folder)).toSorted()).toEqual([...reportFileNames].toSorted());
}, 60_000);

test('an interrupted run ends at once and writes its report', async () => {
  const asked = Promise.withResolvers<undefined>();
  const { command, folder } = await conform(() => asked.resolve(undefined));
  await asked.promise;
  await command.stop();
  expect(await command.ended).toBe(2);
  expect(command.stderr()).toContain('The run was interrupted after 1 requests');
  expect((await readdir(folder)).toSorted()).toEqual([...reportFileNames].toSorted());
}, 60_000);

test('prints no plan for a server that does not respond', async () => {
  const command = startCommand('conform', 'http://127.0.0.1:1/v1');
  expect(await command.ended).toBe(2);
  expect(command.stdout()).toBe('');
  expect(command.stderr()).toMatch(/^petstore conform: No server responds at 127\.0\.0\.1:1\./);
});

test('a base URL that contains the key is rejected, because the report would show it', async () => {
  const argv = ['conform', 'http://127.0.0.1:9/secret-key/v1', '--api-key', 'secret-key'];
  const { ended, stderr } = startCommand(...argv);
  expect([await ended, stderr()]).toEqual([
    2,
    'petstore conform: The base URL contains the API key, which would leak into the report. Pass it as the API key only.\n',
  ]);
});
