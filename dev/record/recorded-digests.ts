import { readFile } from 'node:fs/promises';
import { packageFile } from '../../cli/package/package-root.ts';
import { recordedDigests } from '../../cli/package/recorded-digests.ts';
import { digestRecorded } from '../../cli/package/recorded-file.ts';

/** Where the digests of the recorded files are: in code, which is what reads those files. */
export const digestsModule = 'cli/package/recorded-digests.ts';

/** The module of the digests as it has to be. */
export async function renderRecordedDigests(): Promise<string> {
  const lines = await Promise.all(
    Object.keys(recordedDigests).map(async (path) => {
      const digest = digestRecorded(await readFile(packageFile(path), 'utf8'));
      const line = `  '${path}': '${digest}',\n`;
      return line.length > 101 ? line.replace(': ', ':\n    ') : line;
    }),
  );
  return `/** SHA-256 of the files that are taken on trust. \`npm run record\` writes this. */
export const recordedDigests = {
${lines.join('')}} as const;
`;
}
