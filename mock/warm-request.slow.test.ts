import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';

/** Runs in a process of its own: the files whose functions a request calls after some like it. */
const script = `
  import { once } from 'node:events';
  import { Session } from 'node:inspector/promises';
  import { connect } from 'node:net';
  import { createMock, loadBundledContract } from './mock/index.ts';
  const mock = createMock(await loadBundledContract());
  const { port, close } = await mock.listen();
  const socket = connect(port, '127.0.0.1');
  const head = 'GET /v1/pets?limit=5 HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer demo-free\\r\\n\\r\\n';
  const ask = async () => {
    socket.write(head);
    return String(await once(socket, 'data'));
  };
  for (let warm = 0; warm < 3; warm += 1) await ask();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  const response = await ask();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const root = new URL('.', import.meta.resolve('petstore-contract/package.json')).href;
  const files = result
    .filter(({ functions }) => functions.some(({ ranges: [whole] }) => whole.count > 0))
    .map(({ url }) => url)
    .filter((url) => url.startsWith(root) && url.endsWith('.ts'));
  console.log(JSON.stringify({ response, files: files.map((url) => url.slice(root.length)) }));
  socket.destroy();
  await close();
`;

test('a warm request for a list runs code in few files', async () => {
  const words = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: packageFile('.') });
  const { response, files }: { response: string; files: string[] } = JSON.parse(stdout);
  expect(response).toContain('HTTP/1.1 200 OK');
  expect(files).toContain('mock/sandbox/pipeline.ts');
  expect(files.length).toBeLessThanOrEqual(36);
}, 60_000);
