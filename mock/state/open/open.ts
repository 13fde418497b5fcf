import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { withoutUser } from '../../../contract/http/address.ts';
import type { StateEngine } from '../engine.ts';

/**
 * Opens the engine of an address: `file:` and a folder, or `valkey:`, `valkeys:`, `redis:` or
 * `rediss:` and a server. Its modules are loaded on demand.
 *
 * @param notify is called with notices for the user, a sentence each
 * @throws {PetstoreError} with code `state` if the address is invalid, or nothing can be stored there
 */
export async function openStateEngine(
  address: string,
  notify: (notice: string) => void,
): Promise<StateEngine> {
  const scheme = /^([a-z]+):/i.exec(address)?.[1]?.toLowerCase();
  switch (scheme ?? '') {
    case 'file': {
      const { openFileEngine, readFolder } = await import('../file-engine.ts');
      return await openFileEngine(readFolder(address));
    }
    case 'valkey':
    case 'valkeys':
    case 'redis':
    case 'rediss': {
      const { openValkeyEngine } = await import('../valkey/engine.ts');
      return await openValkeyEngine(address, { notify });
    }
    default:
      throw new PetstoreError('state', `"${withoutUser(address)}" is not an address for state.`, {
        remedy: 'Use an address such as file:./petstore-state or valkey://127.0.0.1:6379.',
      });
  }
}
