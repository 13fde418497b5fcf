import { readFile } from 'node:fs/promises';
import { codec, hasCode, parseJson, type TypeOf } from '../../contract/index.ts';
import { packageFile } from './package-root.ts';

const { object, text } = codec;

/** What of this package passed validation when it was recorded by `npm run digest`. */
export type Passed = TypeOf<typeof passed>;

const passed = object({
  /** The digest is the SHA-256 of the text of `fixtures/inventory.json`. */
  inventory: object({ digest: text }),
  contract: object({ digest: text, document: codec.jsonObject }),
});

/** Reads the record; undefined where it cannot be used, and then everything is validated. */
export async function readPassed(): Promise<Passed | undefined> {
  const record = parseJson(await readFile(packageFile('fixtures/passed.json'), 'utf8'));
  try {
    return passed.read(record, '');
  } catch (error) {
    if (hasCode(error, 'shape')) return undefined;
    throw error;
  }
}
