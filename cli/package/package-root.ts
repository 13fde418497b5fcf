import { readFile } from 'node:fs/promises';
import { packageFile } from '../../mock/package/package-file.ts';

export { packageFile };

/** The version of this package: what a run is judged by, as its rules change with it. */
export async function readVersion(): Promise<string> {
  const facts: unknown = JSON.parse(await readFile(packageFile('package.json'), 'utf8'));
  return typeof facts === 'object' && facts !== null && 'version' in facts
    ? String(facts.version)
    : 'unknown';
}
