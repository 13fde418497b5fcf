import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord, listOf, recordOf } from '../document/json.ts';
import { startNode } from '../server/process.ts';
import { projectFolder } from '../server/server.ts';

/** What `petstore conform` found about the mock of the same document. */
export interface ConformanceResult {
  /** Exit code; null where it was ended. */
  readonly exit: number | null;
  readonly milliseconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly notTested: number;
  readonly open: number;
  readonly requests: number;
  /** The failures with their numbers. */
  readonly causes: Readonly<Record<string, number>>;
  /** What it wrote where it ended without a report. */
  readonly error?: string;
}

const limits = { megabytes: 3000, cwd: projectFolder };

/** Judges the mock of a document. */
export async function conform(file: string, milliseconds: number): Promise<ConformanceResult> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    const argv = ['cli/petstore.ts', 'conform', '--quiet', '--contract', file, '--report', folder];
    const started = performance.now();
    const run = startNode(argv, { ...limits, milliseconds });
    const exit = await run.ended;
    const report = await readReport(join(folder, 'report.json'));
    const lines = run
      .stderr()
      .split('\n')
      .filter((line) => !/^(warning|hint)\b/.test(line));
    return {
      exit,
      milliseconds: Math.round(performance.now() - started),
      ...readCounts(report),
      causes: countCauses(report),
      ...(isRecord(report) ? {} : { error: lines.join('\n').trim().slice(0, 600) }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReport(file: string): Promise<unknown> {
  try {
    const report: unknown = JSON.parse(await readFile(file, 'utf8'));
    return report;
  } catch {
    return undefined;
  }
}

function readCounts(
  report: unknown,
): Pick<ConformanceResult, 'passed' | 'failed' | 'notTested' | 'open' | 'requests'> {
  const counts = recordOf(recordOf(report)['counts']);
  const run = recordOf(recordOf(report)['run']);
  return {
    passed: number(counts['passed']),
    failed: number(counts['failed']),
    notTested: number(counts['not-tested']),
    open: number(counts['open']),
    requests: number(run['requests']),
  };
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** What failed, by requirement, and what the server never served. */
function countCauses(report: unknown): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (cause: string): void => void (counts[cause] = (counts[cause] ?? 0) + 1);
  const { verdicts, unserved } = recordOf(report);
  for (const verdict of listOf(verdicts).map(recordOf)) {
    if (verdict['verdict'] === 'failed')
      count(`failed: ${String(verdict['id'])}: ${failureText(verdict['failures'])}`);
  }
  for (const one of listOf(unserved).map(recordOf))
    count(`never served: ${String(one['operation'])}: ${String(one['sentence'])}`);
  return counts;
}

function failureText(failures: unknown): string {
  const [first] = listOf(failures).map(recordOf);
  return `${String(first?.['expected'])}, but ${String(first?.['received'])}`.slice(0, 200);
}
