import { packageFile } from '../../../cli/package/package-root.ts';
import { loadContract } from '../../../contract/index.ts';
import { openPinning } from '../../load/pinning.ts';
import { readResidentBytes } from '../../load/process-usage.ts';
import { freePort, startServer } from '../../server/server-process.ts';
import { type Growth, measureGrowth } from '../lawful/growth.ts';
import { inspectable, openInspector } from '../lawful/inspector.ts';
import { soakLimit } from '../lawful/mix.ts';
import { megabytes } from '../lawful/run.ts';
import { loadControlDocument } from '../../../mock/control/description/control-document.ts';
import { createFindings, sendHostile } from './traffic.ts';

/** A soak under hostile requests. */
export interface HostileOrder {
  readonly requests: number;
  readonly seed: number;
  /** Path of the document; undefined for the bundled one. */
  readonly document: string | undefined;
}

const samples = 50;
const connections = 16;

/** What the mock may keep here, in MiB: little, so that a soak comes to the bound. */
const mostMemory = 16;
const mostSandboxes = 200;

/** What the level of the heap differs by from one part of a soak to another. */
const allowance = 32 * 2 ** 20;

/**
 * Sends hostile requests to a mock in a process of its own, judges every response, and writes what
 * came of it. Resolves with true where nothing broke and the memory has found its level.
 */
export async function soakHostile(
  { requests, seed, document }: HostileOrder,
  write: (line: string) => void,
): Promise<boolean> {
  const file = document ?? packageFile('openapi.yaml');
  const contract = await loadContract({ file });
  const { contract: control } = await loadControlDocument();
  const inspectorPort = await freePort();
  const isBundled = document === undefined;
  const limits = isBundled
    ? Object.entries(soakLimit.windows).flatMap(([window, limit]) => [
        '--limit',
        `${soakLimit.plan}.${window}=${limit}`,
      ])
    : [];
  const server = await startServer(
    {
      name: 'mock',
      command: (port) => [
        process.execPath,
        ...inspectable(inspectorPort),
        packageFile('cli/petstore.ts'),
        'mock',
        '--quiet',
        '--no-watch',
        '--contract',
        file,
        '--port',
        `${port}`,
        '--sandboxes',
        `${mostSandboxes}`,
        '--max-memory',
        `${mostMemory}`,
        ...limits,
      ],
      path: ({ path }) => (isBundled ? `/v1${path}` : '/_mock/openapi.yaml'),
    },
    openPinning(),
  );
  const inspector = await openInspector(inspectorPort);
  const findings = createFindings();
  const heap: number[] = [];
  const resident: number[] = [];
  let milliseconds = 0;
  try {
    for (let sample = 0; sample < samples; sample += 1) {
      const range = [
        Math.floor((sample * requests) / samples),
        Math.floor(((sample + 1) * requests) / samples),
      ] as const;
      const started = performance.now();
      await sendHostile(
        { contract, control, port: server.port, seed },
        range,
        connections,
        findings,
      );
      milliseconds += performance.now() - started;
      resident.push(await readResidentBytes(server.pid));
      heap.push(await inspector.readHeapBytes());
      write(
        `${range[1]} requests, ${Math.round((range[1] / milliseconds) * 1000)} a second: heap ${megabytes(heap.at(-1))}, resident ${megabytes(resident.at(-1))}, broken ${findings.brokenCount}`,
      );
    }
  } finally {
    inspector.close();
    await server.stop();
  }
  // The first half fills what the mock keeps.
  const level = measureGrowth(heap.slice(samples / 2), allowance);
  for (const line of render({ requests, milliseconds, heap, resident, level }, findings))
    write(line);
  return findings.brokenCount === 0 && !level.hasGrown;
}

interface Figures {
  readonly requests: number;
  readonly milliseconds: number;
  readonly heap: readonly number[];
  readonly resident: readonly number[];
  readonly level: Growth;
}

function render(
  { requests, milliseconds, heap, resident, level }: Figures,
  { statuses, broken, brokenCount }: ReturnType<typeof createFindings>,
): readonly string[] {
  const counts = [...statuses].toSorted(([a], [b]) => a - b);
  const isWhole = brokenCount === 0;
  return [
    `${requests} hostile requests in ${(milliseconds / 1000).toFixed(0)} s, ${Math.round((requests / milliseconds) * 1000)} a second`,
    `responses by status: ${counts.map(([status, count]) => `${status} ${count}`).join(', ')}`,
    ...broken,
    `responses that broke the contract, 5XX, or none: ${brokenCount}`,
    `heap after a collection: ${megabytes(level.first)} in the third quarter, ${megabytes(level.last)} at the end, at most ${megabytes(Math.max(...heap))}${level.hasGrown ? ': GROWN' : ''}`,
    `resident memory: ${megabytes(resident.at(-1))} at the end, at most ${megabytes(Math.max(...resident))}`,
    isWhole && !level.hasGrown ? 'verdict: held' : 'verdict: BROKEN',
  ];
}
