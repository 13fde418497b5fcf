import { readFile } from 'node:fs/promises';

/** Length of a clock tick of `/proc/<pid>/stat` on Linux (proc_pid_stat(5)). */
const tickMilliseconds = 10;

/** Processor milliseconds of a process, all its threads; NaN where `/proc` does not say. */
export async function readCpuMilliseconds(pid: number): Promise<number> {
  const stat = await readProc(pid, 'stat');
  // The second field, the name, may hold spaces; the third follows its bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMilliseconds;
}

/** Resident memory of a process in bytes; NaN where `/proc` does not say. */
export async function readResidentBytes(pid: number): Promise<number> {
  const status = await readProc(pid, 'status');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function readProc(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
