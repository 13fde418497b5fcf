import { readFile } from 'node:fs/promises';
import { type SelftestRecord, parseSelftest } from '../../certificate/index.ts';
import { parseJson } from '../../contract/index.ts';
import { packageFile } from './package-root.ts';

/**
 * The kill rate that came with this package (`npm run selftest -- --record`); undefined where none
 * did.
 */
export async function readSelftestRecord(): Promise<SelftestRecord | undefined> {
  try {
    return parseSelftest(parseJson(await readFile(packageFile('fixtures/selftest.json'), 'utf8')));
  } catch {
    return undefined;
  }
}
