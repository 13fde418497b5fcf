import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord, listOf, parseOrNothing, recordOf } from './json.ts';
import type { CorpusDocument } from './manifest.ts';
import { startCommand } from './server.ts';

/** What `petstore conform` found about the mock of the same document. */
export interface ConformanceResult {
  /** Exit code; null where it was ended. */
  readonly exit: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly notTested: number;
  /** The failures with their numbers. */
  readonly causes: Readonly<Record<string, number>>;
  /** What it printed where it ended without a report. */
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

/** What failed, by requirement, and what the server never served. */
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
