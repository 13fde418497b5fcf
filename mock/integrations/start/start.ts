import { fileURLToPath } from 'node:url';
import type { Contract } from '../../../contract/contract.ts';
import { defined } from '../../../contract/list/defined.ts';
import { loadContract } from '../../../contract/load.ts';
import { refuseUnknownOptions } from '../../../contract/error/api-arguments.ts';
import { type Mock, createMock, listenOptionNames } from '../../mock.ts';
import { type MockOptions, mockOptionNames } from '../../served-document/options.ts';
import type { StateEngine } from '../../state/engine.ts';
import type { ListenOptions, Listening } from '../node/server.ts';
import { loadBundledContract } from '../../package/bundled.ts';

export { loadBundledContract } from '../../package/bundled.ts';

export interface StartOptions extends Omit<MockOptions, 'state'>, ListenOptions {
  /**
   * The OpenAPI document: a path, a `file:`, `http:` or `https:` URL, or a loaded contract. Default:
   * that of this package, with its inventory.
   */
  readonly contract?: string | URL | Contract;
  /**
   * Where sandboxes are stored so that they survive the process: `file:./petstore-state`, a server such
   * as `valkey://127.0.0.1:6379`, or an engine of your own. An address is closed with the mock.
   */
  readonly state?: string | StateEngine;
}

/** A mock that listens until `close`, or the end of the block of `await using`. */
export interface StartedMock extends Listening, AsyncDisposable {
  /** In process: `fetch`, `control()`, `reload()`. */
  readonly mock: Mock;
  /** The first of its keys, for a header such as `Authorization: Bearer <key>`. */
  readonly key: string;
}

/**
 * Starts a mock on a free port, or on that of the options. Rejects with a `ContractError` for an
 * invalid document, a `PetstoreError` for options that do not fit it or state that cannot be stored,
 * or the system's error.
 */
export async function startMock(options: StartOptions = {}): Promise<StartedMock> {
  refuseUnknownOptions('startMock', options, optionNames);
  const { contract: source, state: place, port, host, tls, control, ...others } = options;
  const contract = source === undefined ? await loadBundledContract() : await load(source);
  const isAddress = typeof place === 'string';
  const state = isAddress ? await openState(place, others) : place;
  try {
    const mock = createMock(contract, { ...others, ...(state && { state }) });
    const listening = await mock.listen(defined({ port, host, tls, control }));
    const close = async (): Promise<void> => {
      await listening.close();
      if (isAddress) await state?.close();
    };
    const key = mock.keys[0]?.key ?? '';
    return { ...listening, mock, key, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    if (isAddress) await state?.close();
    throw error;
  }
}

const optionNames = { ...mockOptionNames, ...listenOptionNames, contract: true } as const;

async function openState(
  place: string,
  { onNotice = () => {} }: Pick<MockOptions, 'onNotice'>,
): Promise<StateEngine> {
  const { openStateEngine } = await import('../../state/open/open.ts');
  return await openStateEngine(place, onNotice);
}

async function load(source: string | URL | Contract): Promise<Contract> {
  if (typeof source === 'object' && !(source instanceof URL)) return source;
  const url = URL.parse(String(source));
  if (url?.protocol === 'file:') return await loadContract({ file: fileURLToPath(url) });
  if (url === null || !/^https?:$/.test(url.protocol))
    return await loadContract({ file: String(source) });
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} responds with status ${response.status}.`);
  return await loadContract({ text: await response.text(), name: url.href });
}
