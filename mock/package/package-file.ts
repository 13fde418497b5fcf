import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The path of a file of this package, by its path within it: the same from the source and from what
 * is joined, wherever that lies.
 */
export function packageFile(path: string): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('petstore-contract/package.json')), path);
}
