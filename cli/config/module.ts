import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PetstoreError } from '../../contract/index.ts';

/**
 * The default export of a configuration file in TypeScript or JavaScript. It is read as an ES
 * module whatever the package.json around it says, so that `export default` works everywhere.
 * Throws `PetstoreError` for a file that cannot be run.
 */
export async function importConfig(path: string, name: string): Promise<unknown> {
  const url = pathToFileURL(path).href;
  const hooks = registerHooks({
    load(address, context, next) {
      const format = formatOf(address, url);
      return next(address, format === undefined ? context : { ...context, format });
    },
  });
  try {
    const loaded: unknown = await import(url);
    return defaultOf(loaded, name);
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    throw new PetstoreError('argument', `${name} cannot be run: ${explain(error)}`, {
      cause: error,
    });
  } finally {
    hooks.deregister();
  }
}

/** What a module is read as: the file itself, and modules in TypeScript that it imports. */
function formatOf(address: string, config: string): string | undefined {
  if (/\.m?ts$/.test(address) && !address.includes('/node_modules/')) return 'module-typescript';
  return address === config ? 'module' : undefined;
}

function defaultOf(loaded: unknown, name: string): unknown {
  if (typeof loaded === 'object' && loaded !== null && 'default' in loaded) return loaded.default;
  throw new PetstoreError('argument', `${name} has no default export.`, {
    remedy: 'It must have export default { ... }.',
  });
}

const types = `import type { Config } from 'petstore-contract/config'`;

/** The reason in a sentence; of an error in the text of the file also its line. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}.`;
  const message = error.message.replaceAll(/\s+/g, ' ').trim();
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  const line = /^file:.*:(\d+)$/m.exec(error.stack?.split('\n')[0] ?? '')?.[1];
  const place = line === undefined ? '' : `line ${line}: `;
  const isMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  const remedy =
    isMissing && message.includes("'petstore-contract'")
      ? ` Install it here, or take only its types: ${types}.`
      : '';
  return `${place}${sentence}${remedy}`;
}
