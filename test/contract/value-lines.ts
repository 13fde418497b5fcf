import { readFileSync } from 'node:fs';

/**
 * The values of one text file of `fixtures/values/`, one per line, unparsed: `int64-valid` for
 * `int64-valid.txt`. Empty lines and lines that begin with `# ` are left out.
 */
export function readValueLines(name: string): readonly string[] {
  const text = readFileSync(new URL(`../../fixtures/values/${name}.txt`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
}
