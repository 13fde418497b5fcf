import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isRecord, listOf, parseOrNothing, recordOf } from './json.ts';
import type { CorpusDocument } from './manifest.ts';

/** Whether and how fast a server started with a document. */
export interface LoadResult {
  readonly listens: boolean;
  /** Milliseconds until it listened, or ended. */
  readonly milliseconds: number;
  /** The first lines of its output if it did not start. */
  readonly refusal?: string;
}

export interface StartedServer {
  readonly load: LoadResult;
  /** Without a trailing slash; undefined if it does not listen. */
  readonly base: string | undefined;
  readonly stop: () => Promise<void>;
}

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a command of the project with a document as users do, with memory and time limits. */
function startCommand(
  words: readonly string[],
  { file, folder }: CorpusDocument,
  milliseconds: number,
): ChildProcess {
  const command = ['cli/petstore.ts', ...words, '--contract', file, '--allow-folder', folder];
  return spawn(process.execPath, ['--max-old-space-size=3000', ...command], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
}

/** Starts a mock on a free port, and waits a minute for it to listen. */
export async function startServer(document: CorpusDocument): Promise<StartedServer> {
  const started = performance.now();
  const words = ['mock', '--port', '0', '--no-watch', '--quiet'];
  const child = startCommand(words, document, 600_000);
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const errors = child.stderr === null ? '' : readText(child.stderr);
  const base = await Promise.race([listeningAt(child), ended.then(() => undefined)]);
  const load = {
    listens: base !== undefined,
    milliseconds: Math.round(performance.now() - started),
  };
  if (base !== undefined) return { load, base, stop };
  await stop();
  const lines = (await errors).split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, 5).join('\n').slice(0, 600);
  return { load: { ...load, refusal: shown || `ended by ${child.signalCode}` }, base, stop };
}

/** The URL that a mock prints; undefined after a minute. */
async function listeningAt({ stdout }: ChildProcess): Promise<string | undefined> {
  const found = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => found.resolve(undefined), 60_000);
  let printed = '';
  stdout?.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
    const base = /is mocked at (http:\S+?)\/?\s/.exec(printed)?.[1];
    if (base !== undefined) found.resolve(base);
  });
  const base = await found.promise;
  clearTimeout(timer);
  return base;
}

/** The result of `petstore conform` for the mock of the same document. */
export interface ConformanceResult {
  /** Exit code; null if it was killed. */
  readonly exit: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly notTested: number;
  /** The failures with their numbers. */
  readonly causes: Readonly<Record<string, number>>;
  /** Its output if it ended without a report. */
  readonly error?: string;
}

/** Judges the mock of a document. */
export async function conform(
  document: CorpusDocument,
  milliseconds: number,
): Promise<ConformanceResult> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    const words = ['conform', '--quiet', '--report', folder];
    const child = startCommand(words, document, milliseconds);
    child.stdout?.resume();
    const errors = child.stderr === null ? '' : readText(child.stderr);
    await once(child, 'close');
    const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => '');
    const report = parseOrNothing(text);
    const counts = recordOf(recordOf(report)['counts']);
    const lines = (await errors).split('\n').filter((line) => !/^(warning|hint)\b/.test(line));
    return {
      exit: child.exitCode,
      passed: Number(counts['passed'] ?? 0),
      failed: Number(counts['failed'] ?? 0),
      notTested: Number(counts['not-tested'] ?? 0),
      causes: countCauses(report),
      ...(isRecord(report) ? {} : { error: lines.join('\n').trim().slice(0, 600) }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Failures by requirement, and operations that were never served. */
function countCauses(report: unknown): Readonly<Record<string, number>> {
  const { verdicts, unserved } = recordOf(report);
  const failed = listOf(verdicts)
    .map(recordOf)
    .filter(({ verdict }) => verdict === 'failed');
  const causes = failed.map(({ id, failures }) => {
    const { expected, received } = recordOf(listOf(failures)[0]);
    return `failed: ${String(id)}: ${`${String(expected)}, but ${String(received)}`.slice(0, 200)}`;
  });
  for (const { operation, sentence } of listOf(unserved).map(recordOf))
    causes.push(`never served: ${String(operation)}: ${String(sentence)}`);
  const groups = Map.groupBy(causes, (cause) => cause);
  return Object.fromEntries([...groups].map(([cause, list]) => [cause, list.length]));
}
