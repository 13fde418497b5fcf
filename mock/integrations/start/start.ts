import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '../../../contract/index.ts';
import { type Mock, createMock } from '../../mock.ts';
import type { MockOptions } from '../../served-document/options.ts';
import type { ListenOptions, Listening } from '../node/server.ts';
import { loadBundledContract, loadBundledSeed } from './bundled.ts';

export { loadBundledContract } from './bundled.ts';

export interface StartOptions extends MockOptions, ListenOptions {
  /**
   * The OpenAPI document: a path, a `file:`, `http:` or `https:` URL, or one that is loaded. By
   * default that of this package, with its inventory.
   */
  readonly contract?: string | URL | Contract;
}

/** A mock that listens. It is closed by `close`, or at the end of the block of `await using`. */
export interface StartedMock extends Listening, AsyncDisposable {
  /** In process: `fetch`, `control()`, `reload()`. */
  readonly mock: Mock;
  /** The first of its keys, for a header such as `Authorization: Bearer <key>`. */
  readonly key: string;
}

/**
 * Starts a mock on a free port, or on that of the options. Rejects with a `ContractError` for what is
 * no document, a `PetstoreError` for options that do not fit it, or the system's error.
 */
export async function startMock(options: StartOptions = {}): Promise<StartedMock> {
  const { contract: source } = options;
  const contract = source === undefined ? await loadBundledContract() : await load(source);
  const seed = source === undefined ? { seed: await loadBundledSeed() } : {};
  const mock = createMock(contract, { ...seed, ...options });
  const listening = await mock.listen(options);
  return {
    ...listening,
    mock,
    key: mock.keys[0]?.key ?? '',
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

async function load(source: string | URL | Contract): Promise<Contract> {
  if (typeof source === 'object' && !(source instanceof URL)) return source;
  const url = URL.parse(String(source));
  if (url?.protocol === 'file:') return await loadContract({ file: fileURLToPath(url) });
  if (url === null || !/^https?:$/.test(url.protocol))
    return await loadContract({ file: String(source) });
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} answers ${response.status}.`);
  return await loadContract({ text: await response.text(), name: url.href });
}
