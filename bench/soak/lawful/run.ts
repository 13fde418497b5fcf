import { packageFile } from '../../../cli/package/package-root.ts';
import { createControlClient } from '../../../mock/control/client.ts';
import { openPinning } from '../../load/pinning.ts';
import { readResidentBytes } from '../../load/process-usage.ts';
import { type ServerProcess, freePort, startServer } from '../../server/server-process.ts';
import type { Target } from '../../server/target.ts';
import { type Inspector, inspectable, openInspector } from './inspector.ts';
import { soakLimit, soakSandboxes } from './mix.ts';
import { sendTraffic } from './traffic.ts';

export interface Soak {
  readonly requests: number;
  readonly seconds: number;
  /** Bytes in use in the heap after a collection, at even distances. */
  readonly heap: readonly number[];
  /** Resident memory of the process in bytes, at the same times. */
  readonly resident: readonly number[];
  /** What keeps the process running, before the first request and after the last connection. */
  readonly resources: { readonly before: readonly string[]; readonly after: readonly string[] };
}

const samples = 60;
const connections = 16;

/** Drives a mock in a process of its own; `requests` is rounded up to a multiple of 60. */
export async function runSoak(requests: number, log: (line: string) => void): Promise<Soak> {
  const inspectorPort = await freePort();
  const server = await startServer(soakedMock(inspectorPort), openPinning());
  const inspector = await openInspector(inspectorPort);
  try {
    return await soak(server, inspector, Math.ceil(requests / samples), log);
  } finally {
    inspector.close();
    await server.stop();
  }
}

function soakedMock(inspectorPort: number): Target {
  const limits = Object.entries(soakLimit.windows).flatMap(([window, limit]) => [
    '--limit',
    `${soakLimit.plan}.${window}=${limit}`,
  ]);
  const mock = [packageFile('cli/petstore.ts'), 'mock', '--quiet', '--no-watch'];
  const command = [process.execPath, ...inspectable(inspectorPort), ...mock];
  const options = ['--sandboxes', `${soakSandboxes}`, ...limits];
  return {
    name: 'mock',
    command: (port) => [...command, '--port', `${port}`, ...options],
    path: ({ path }) => `/v1${path}`,
  };
}

async function soak(
  { port, pid }: ServerProcess,
  inspector: Inspector,
  each: number,
  log: (line: string) => void,
): Promise<Soak> {
  const target = { port, basePath: '/v1' };
  const [heap, resident]: [number[], number[]] = [[], []];
  await control(port, 0);
  const before = await settle(inspector, []);
  const started = performance.now();
  for (let sample = 0; sample < samples; sample += 1) {
    await sendTraffic(target, sample * each, (sample + 1) * each, connections);
    await control(port, sample);
    heap.push(await inspector.readHeapBytes());
    resident.push(await readResidentBytes(pid));
    log(
      `${(sample + 1) * each} requests: heap ${megabytes(heap.at(-1))}, resident ${megabytes(resident.at(-1))}`,
    );
  }
  const seconds = (performance.now() - started) / 1000;
  const resources = { before, after: await settle(inspector, before) };
  return { requests: samples * each, seconds, heap, resident, resources };
}

/** Bytes as they are shown. */
export function megabytes(bytes = Number.NaN): string {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}

/** Everything that can be controlled, and then the seed again: each sample starts alike. */
async function control(port: number, sample: number): Promise<void> {
  const client = createControlClient(`http://127.0.0.1:${port}`, { fetch: fetchAlone });
  const [sandbox, snapshot] = ['main', `snapshot-${sample}`];
  await client.call('takeSnapshot', { sandbox, snapshot });
  await client.call('restoreSnapshot', { sandbox, snapshot, body: { into: 'copy' } });
  await client.call('dropSnapshot', { sandbox, snapshot });
  await client.call('setChoices', {
    sandbox: 'chosen',
    body: {
      'list-order': sample % 2 === 0 ? 'id-descending' : 'id-ascending',
      'status-default': sample % 3 === 0 ? 'sold' : 'pending',
    },
  });
  await client.call('addFault', { sandbox: 'broken', body: { connection: 'reset' } });
  await client.call('clearFaults', { sandbox: 'broken' });
  await client.call('setClock', { sandbox: 'moved', body: { advanceSeconds: 60 } });
  await client.call('readJournal', { sandbox });
  for (const name of ['copy', 'chosen', 'broken', 'moved'])
    await client.call('resetSandbox', { sandbox: name });
  await client.call('resetState', { sandbox });
}

/** On a connection of its own, so that none is open at the end. */
function fetchAlone(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return fetch(input, { ...init, headers });
}

/** What keeps the process running, once it is what is awaited, or after a second. */
async function settle(
  inspector: Inspector,
  awaited: readonly string[],
): Promise<readonly string[]> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const found = await inspector.readResources();
    const isSettled =
      awaited.length === 0 ? !found.includes('TCPSocketWrap') : found.join() === awaited.join();
    if (isSettled) return found;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  return await inspector.readResources();
}
