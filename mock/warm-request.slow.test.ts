import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';

/** Prints the files of ours with functions that one more request calls. */
const script = `
  import http from 'node:http';
  import { Session } from 'node:inspector/promises';
  import { startMock } from './mock/integrations/start/start.ts';
  const { url, key } = await startMock();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: 'Bearer ' + key };
  const get = () => new Promise((resolve, reject) => http
    .get(url + '/pets?limit=5', { agent, headers }, (response) => response.resume().on('end', resolve))
    .on('error', reject));
  for (let count = 0; count < 20; count += 1) await get();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  await get();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = result.filter(({ functions }) => functions.some(({ ranges: [whole] }) => whole.count > 0));
  console.log(JSON.stringify(called.map(({ url }) => url)));
  process.exit();
`;

test('a warm list request runs code of at most 20 files', async () => {
  const root = packageFile('.');
  const words = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  const urls: readonly string[] = JSON.parse(stdout);
  const files = urls.filter((url) => /\/(?:contract|mock)\/[^?]*\.ts$/.test(url));
  expect(files).toContainEqual(expect.stringContaining('/mock/sandbox/pipeline.ts'));
  expect(files.length).toBeLessThanOrEqual(20);
}, 60_000);
