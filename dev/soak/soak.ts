import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packageFile } from '../../cli/package/package-root.ts';
import { createControlClient } from '../../mock/control/client.ts';
import { openPinning } from '../load/pinning.ts';
import { readResidentBytes } from '../load/process-usage.ts';
import { startServer } from '../load/server-process.ts';
import { measureGrowth } from './growth.ts';
import type { Usage } from './probe.ts';
import { soakLimit, soakSandboxes } from './requests.ts';
import { sendTraffic } from './traffic.ts';

const help = `Usage: npm run soak -- [requests]

Sends a mix of requests, a million by default, to a mock in a process of its own, and reports whether its
memory or its connections have grown. A million take two to four minutes.
Exit codes: 0 nothing has grown, 1 something has, 2 the soak could not be made.
`;

const samples = 60;
const basePath = '/v1';

/** By how much the heap after a collection differs from one sample to another, without a leak. */
const heapAllowance = 2 ** 20;
/** The share by which resident memory differs: the system gives and takes in large pieces. */
const residentAllowance = 0.1;

async function soak(requests: number): Promise<boolean> {
  const limits = Object.entries(soakLimit.windows).flatMap(([window, limit]) => [
    '--limit',
    `${soakLimit.plan}.${window}=${limit}`,
  ]);
  const node = [process.execPath, '--expose-gc', '--import', packageFile('dev/soak/probe.ts')];
  const mock = [packageFile('cli/petstore.ts'), 'mock', '--quiet', '--no-watch', ...limits];
  const bounds = ['--sandboxes', `${soakSandboxes}`];
  const server = await startServer(
    {
      name: 'mock',
      readyPath: `${basePath}/pets`,
      command: (port) => [...node, ...mock, ...bounds, '--port', `${port}`],
    },
    openPinning(),
    'ipc',
  );
  const { port, pid, child } = server;
  const each = Math.ceil(requests / samples);
  const heap: number[] = [];
  const resident: number[] = [];
  try {
    await control(port, 0);
    const before = await settle(child, []);
    for (let from = 0; from < samples * each; from += each) {
      await sendTraffic({ port, basePath }, from, from + each, 16);
      await control(port, from);
      heap.push((await readUsage(child)).heapBytes);
      resident.push(await readResidentBytes(pid));
      const memory = `heap ${megabytes(heap.at(-1))}, resident ${megabytes(resident.at(-1))}`;
      process.stderr.write(`${from + each} requests: ${memory}\n`);
    }
    const after = await settle(child, before);
    const checks = [
      judgeGrowth('heap after a collection', heap, heapAllowance),
      judgeGrowth('resident memory', resident, residentAllowance * (resident[0] ?? 0)),
      {
        text: `open at the end: ${after.join(', ')} (before: ${before.join(', ')})`,
        isGood: after.join() === before.join(),
      },
    ];
    for (const { text, isGood } of checks)
      process.stdout.write(`${isGood ? 'good' : 'BAD'}: ${text}\n`);
    return checks.every(({ isGood }) => isGood);
  } finally {
    await server.stop();
  }
}

function judgeGrowth(name: string, bytes: readonly number[], allowance: number) {
  const { first, last, hasGrown } = measureGrowth(bytes, allowance);
  const text = `${name}: ${megabytes(first)} in the first third, ${megabytes(last)} in the last`;
  return { text, isGood: !hasGrown };
}

function megabytes(bytes = Number.NaN): string {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}

/** Everything that can be controlled, and then the seed again: each sample starts alike. */
async function control(port: number, sample: number): Promise<void> {
  const client = createControlClient(`http://127.0.0.1:${port}`, { fetch: fetchAlone });
  const [sandbox, snapshot] = ['main', `snapshot-${sample}`];
  await client.call('takeSnapshot', { sandbox, snapshot });
  await client.call('restoreSnapshot', { sandbox, snapshot, body: { into: 'copy' } });
  await client.call('dropSnapshot', { sandbox, snapshot });
  await client.call('setChoices', { sandbox: 'chosen', body: { 'list-order': 'id-descending' } });
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

/** What keeps the process running, once it is what is awaited, or after a while. */
async function settle(child: ChildProcess, awaited: readonly string[]): Promise<readonly string[]> {
  let found: readonly string[] = [];
  for (let attempt = 0; attempt < 100; attempt += 1) {
    found = (await readUsage(child)).resources;
    const isSettled =
      awaited.length === 0 ? !found.includes('TCPSocketWrap') : found.join() === awaited.join();
    if (isSettled) break;
    await sleep(50);
  }
  return found;
}

async function readUsage(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  const [usage]: readonly Usage[] = await once(child, 'message');
  if (usage === undefined) throw new Error('The mock did not report its memory.');
  return usage;
}

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const requests = Number(positionals[0] ?? 1_000_000);
  if (values.help === true) process.stdout.write(help);
  else if (!Number.isInteger(requests) || requests < 1)
    throw new Error(`"${positionals[0]}" is not a number of requests.`);
  else process.exitCode = (await soak(requests)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
