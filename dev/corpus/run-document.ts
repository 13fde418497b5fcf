import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentResult, MeasureSettings } from './measure/measure.ts';

const worker = fileURLToPath(new URL('./measure/worker.ts', import.meta.url));

/** Measures one document in a process of its own; whatever happens there, there is a result. */
export async function runDocument(
  settings: MeasureSettings,
  file: string,
  seconds: number,
): Promise<DocumentResult> {
  await writeResult(file, { id: settings.id, openapi: settings.openapi, state: 'unfinished' });
  const argv = ['--max-old-space-size=3500', worker, JSON.stringify(settings), file];
  // Its own group, so that the servers that it started end with it. The channel tells it of our end.
  const child = spawn(process.execPath, argv, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const timer = Promise.withResolvers<'timed-out'>();
  const timeout = setTimeout(() => timer.resolve('timed-out'), seconds * 1000);
  const end = await Promise.race([
    once(child, 'exit').then(() => 'crashed' as const),
    timer.promise,
  ]);
  clearTimeout(timeout);
  await endGroup(child);
  const result = await readResult(file);
  if (result?.state === 'measured') return result;
  const { id, openapi } = settings;
  const rest: DocumentResult = { id, openapi, ...result, state: end };
  await writeResult(file, rest);
  return rest;
}

async function endGroup(child: ChildProcess): Promise<void> {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Undefined if there is none, or only a part of one. */
export async function readResult(file: string): Promise<DocumentResult | undefined> {
  try {
    const result: DocumentResult = JSON.parse(await readFile(file, 'utf8'));
    return result;
  } catch {
    return undefined;
  }
}

async function writeResult(file: string, result: DocumentResult): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(result, undefined, 1));
}
