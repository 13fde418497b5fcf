import { randomUUID } from 'node:crypto';
import { readFile, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PetstoreError, largest } from '../../../contract/index.ts';
import { hasErrorCode } from './disk-error.ts';

/** A folder that no other process writes to. */
export interface Lock {
  /** Rejects with code `state` where another process has taken the folder over. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export interface LockTimes {
  /** How often the holder shows that it lives; a quarter of what a lock without a sign is kept. */
  readonly beatMilliseconds: number;
}

/** What a lock file says of its holder. */
interface Holder {
  readonly pid: number;
  /** The machine, and where there are such the container: what a process id counts in. */
  readonly machine: string;
  readonly id: string;
}

/**
 * Takes a folder for this process. Each holder makes a file with the next number, which only one
 * can: the highest counts. A holder is gone where its process is, or, where that cannot be told
 * (another machine or container), where its file was not touched for four beats.
 *
 * @throws {PetstoreError} with code `state` where another process holds it
 */
export async function takeLock(
  folder: string,
  { beatMilliseconds }: LockTimes = { beatMilliseconds: 1000 },
): Promise<Lock> {
  const machine = `${hostname()} ${await readNamespace()}`;
  const me: Holder = { pid: process.pid, machine, id: randomUUID() };
  for (;;) {
    const last = await lastNumber(folder);
    if (last > 0 && (await isHeld(folder, last, machine, beatMilliseconds)))
      throw await explainHeld(folder, last);
    const mine = last + 1;
    try {
      await writeFile(at(folder, mine), `${JSON.stringify(me)}\n`, { flag: 'wx' });
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) continue;
      throw error;
    }
    if ((await lastNumber(folder)) === mine) {
      for (const number of await numbers(folder))
        if (number < mine) await rm(at(folder, number), { force: true });
      return hold(folder, mine, beatMilliseconds);
    }
    await rm(at(folder, mine), { force: true });
  }
}

function hold(folder: string, mine: number, beatMilliseconds: number): Lock {
  let lastSeen = performance.now();
  const beat = setInterval(() => {
    const now = new Date();
    utimes(at(folder, mine), now, now).catch(() => undefined);
  }, beatMilliseconds);
  beat.unref();
  return {
    async confirm() {
      if (performance.now() - lastSeen < beatMilliseconds) return;
      if ((await lastNumber(folder)) !== mine) {
        const remedy = 'Stop one of the two processes, and start again.';
        const detail = `Another process now uses the folder ${folder}.`;
        throw new PetstoreError('state', detail, { place: folder, remedy });
      }
      lastSeen = performance.now();
    },
    async release() {
      clearInterval(beat);
      // The file stays, so that numbers only grow.
      await writeFile(at(folder, mine), '{}\n');
    },
  };
}

const at = (folder: string, number: number): string => join(folder, `lock-${number}`);

async function numbers(folder: string): Promise<readonly number[]> {
  return (await readdir(folder)).flatMap((name) => {
    const [, number] = /^lock-([1-9]\d{0,14})$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

async function lastNumber(folder: string): Promise<number> {
  return largest(await numbers(folder), 0);
}

/** Whether the holder of a lock lives. */
async function isHeld(
  folder: string,
  number: number,
  machine: string,
  beatMilliseconds: number,
): Promise<boolean> {
  const holder = await readHolder(folder, number);
  if (holder === 'released') return false;
  if (holder !== undefined && holder.machine === machine && !isAlive(holder.pid)) return false;
  const touched = await touchedAt(folder, number);
  for (let waited = 0; waited < 4 * beatMilliseconds; waited += beatMilliseconds / 10) {
    await sleep(beatMilliseconds / 10);
    if ((await readHolder(folder, number)) === 'released') return false;
    if ((await touchedAt(folder, number)) !== touched) return true;
  }
  return false;
}

/** Undefined for a file that is gone, or not written to its end. */
async function readHolder(
  folder: string,
  number: number,
): Promise<Partial<Holder> | 'released' | undefined> {
  try {
    const text = await readFile(at(folder, number), 'utf8');
    if (text === '{}\n') return 'released';
    const holder: Partial<Holder> = JSON.parse(text);
    return holder;
  } catch {
    return undefined;
  }
}

async function touchedAt(folder: string, number: number): Promise<number> {
  try {
    return (await stat(at(folder, number))).mtimeMs;
  } catch {
    return 0;
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** On Linux, what tells the process ids of containers apart. */
async function readNamespace(): Promise<string> {
  try {
    return await readlink('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

async function explainHeld(folder: string, number: number): Promise<PetstoreError> {
  const holder = await readHolder(folder, number);
  const who =
    typeof holder === 'object' ? ` (process ${holder.pid ?? '?'} of ${holder.machine ?? '?'})` : '';
  const detail = `Another process stores its state in ${folder}${who}.`;
  const remedy =
    'Stop it, or use another folder. To share state between processes, use a valkey: server.';
  return new PetstoreError('state', detail, { place: folder, remedy });
}
