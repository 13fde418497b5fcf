import { PetstoreError } from '../../../contract/index.ts';
import type { StateEngine } from '../engine.ts';

/** The engines, as addresses that a person may copy. */
const examples = 'file:./petstore-state or valkey://127.0.0.1:6379';

/**
 * Opens the engine of an address: `file:` and a folder, or `valkey:`, `valkeys:`, `redis:` or
 * `rediss:` and a server. What it needs is loaded only then.
 *
 * @param notify is told, a sentence each, what the user should know: that a damaged end of a log
 * was cut, that a server keeps less than it should
 * @throws {PetstoreError} with code `state` where the address is none, or nothing can be kept there
 */
export async function openStateEngine(
  address: string,
  notify: (notice: string) => void,
): Promise<StateEngine> {
  const scheme = /^([a-z]+):/i.exec(address)?.[1]?.toLowerCase();
  switch (scheme ?? '') {
    case 'file': {
      const { openFileEngine, readFolder } = await import('../file/open.ts');
      return await openFileEngine(readFolder(address), { notify });
    }
    case 'valkey':
    case 'valkeys':
    case 'redis':
    case 'rediss': {
      const { openValkeyEngine } = await import('../valkey/open.ts');
      return await openValkeyEngine(address, { notify });
    }
    default:
      throw new PetstoreError('state', `"${address}" is not an address for state.`, {
        remedy: `Use an address such as ${examples}.`,
      });
  }
}
