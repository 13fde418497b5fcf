import { readFileSync } from 'node:fs';

/** Megabytes of memory that a process uses now, and used at most. */
export interface Memory {
  readonly now: number;
  readonly most: number;
}

/** Undefined where the process is gone, or the system has no `/proc`. */
export function memoryOf(pid: number | undefined): Memory | undefined {
  if (pid === undefined) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { now: megabytes(text, 'VmRSS'), most: megabytes(text, 'VmHWM') };
  } catch {
    return undefined;
  }
}

function megabytes(text: string, name: string): number {
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024);
}
