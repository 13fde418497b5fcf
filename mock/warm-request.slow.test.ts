import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';

/**
 * Prints the files of ours with functions that one more request calls: the fewest of three, because
 * one request a second renders the date.
 */
const script = `
  import http from 'node:http';
  import { Session } from 'node:inspector/promises';
  import { startMock } from './mock/integrations/start/start.ts';
  const { url, key } = await startMock();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { accept: 'application/json', authorization: 'Bearer ' + key };
  const get = () => new Promise((resolve, reject) => http
    .get(url + '/pets?limit=5', { agent, headers }, (response) => response.resume().on('end', resolve))
    .on('error', reject));
  for (let count = 0; count < 20; count += 1) await get();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  const isOurs = ({ url }) => /\\/(?:contract|mock)\\/[^?]*\\.ts$/.test(url);
  const isCalled = ({ functions }) => functions.some(({ ranges: [whole] }) => whole.count > 0);
  const runs = [];
  for (let count = 0; count < 3; count += 1) {
    await session.post('Profiler.takePreciseCoverage');
    await get();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    runs.push(result.filter((one) => isOurs(one) && isCalled(one)).map(({ url }) => url));
  }
  console.log(JSON.stringify(runs.toSorted((a, b) => a.length - b.length)[0]));
  process.exit();
`;

test('a warm list request runs code of at most 20 files', async () => {
  const root = packageFile('.');
  const words = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  const files: readonly string[] = JSON.parse(stdout);
  expect(files).toContainEqual(expect.stringContaining('/mock/sandbox/pipeline.ts'));
  expect(files.length).toBeLessThanOrEqual(20);
}, 60_000);
