import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';
import { type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';

/** A known fault of a package, as the registry tells it. Its texts are foreign. */
export interface Advisory {
  readonly title: string;
  readonly url: string;
  /** `low`, `moderate`, `high` or `critical`. */
  readonly severity: string;
  /** Where the package lies: `node_modules/yaml`. */
  readonly places: readonly string[];
}

/** What the registry says of the packages in the lock file, those of development too. */
export type Audit =
  | { readonly kind: 'answered'; readonly advisories: readonly Advisory[] }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** How long npm may take, all in all. Milliseconds. */
const patience = 60_000;

/**
 * Asks the registry by `npm audit`, which sends it names and versions of the packages in the lock
 * file. Ends within a minute. npm has an empty cache for it: in its own one it keeps the severity
 * that an advisory had when it was first seen.
 */
export async function fetchAudit(): Promise<Audit> {
  const cache = await mkdtemp(join(tmpdir(), 'petstore-audit-'));
  try {
    return await audit(cache);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

async function audit(cache: string): Promise<Audit> {
  const options = ['--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=20000'];
  return await new Promise((resolve) => {
    const settings = {
      cwd: packageFile('.'),
      timeout: patience,
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, npm_config_cache: cache },
      shell: process.platform === 'win32',
    };
    // It exits with 1 for any advisory, of development too, so what it writes is read.
    execFile('npm', ['audit', ...options], settings, (error, stdout) =>
      resolve(
        error?.killed === true
          ? { kind: 'unanswered', reason: `nothing came for ${patience / 1000} s` }
          : readAudit(stdout),
      ),
    );
  });
}

/** What `npm audit --json` wrote. */
export function readAudit(text: string): Audit {
  const report = parseReport(text);
  if (!isJsonObject(report)) return { kind: 'unanswered', reason: 'npm wrote no JSON' };
  const { vulnerabilities, message } = report;
  if (!isJsonObject(vulnerabilities))
    return { kind: 'unanswered', reason: textOf(message).slice(0, 300) || 'npm gave no reason' };
  return { kind: 'answered', advisories: Object.values(vulnerabilities).flatMap(readEntry) };
}

/** An entry of one package. A text in `via` is another package, which has an entry of its own. */
function readEntry(entry: JsonValue | undefined): readonly Advisory[] {
  if (!isJsonObject(entry) || !Array.isArray(entry['via'])) return [];
  const nodes = Array.isArray(entry['nodes']) ? entry['nodes'] : [];
  const places = nodes.filter((place) => typeof place === 'string');
  return entry['via'].filter(isJsonObject).map(({ title, url, severity }) => ({
    title: textOf(title),
    url: textOf(url),
    severity: textOf(severity),
    places,
  }));
}

function parseReport(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
