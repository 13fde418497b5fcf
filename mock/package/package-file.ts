import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The path of a file of this package, from its path within it: the same in the source and in the built
 * package.
 */
export function packageFile(path: string): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('petstore-contract/package.json')), path);
}
