import type { Contract } from '../../../contract/contract.ts';
import { refuseUnknownOptions } from '../../../contract/error/api-arguments.ts';
import type { ControlOptions } from '../../control/access.ts';
import { isControlTarget } from '../../operation/router.ts';
import { type Mock, createMock } from '../../mock.ts';
import { type MockOptions, mockOptionNames } from '../../served-document/options.ts';
import { createFetch } from '../fetch/fetch.ts';
import { ConnectionBroken, targetOf } from '../in-process.ts';
import { loadBundledContract } from '../../package/bundled.ts';
import { type ControlFetch, openControl } from './control.ts';

export interface HandlerOptions extends MockOptions {
  /** By default the document of this package, with its inventory. */
  readonly contract?: Contract;
  /** Who may use the control interface; false: nobody. Workers and browsers have none. */
  readonly control?: ControlOptions | false;
}

const optionNames = { ...mockOptionNames, contract: true, control: true } as const;

/** What `Bun.serve` accepts, and what a Worker and a module of `deno serve` export. */
export interface FetchHandler {
  /**
   * Never rejects. `context` is what the runtime passes besides the request: that of `Deno.serve` and
   * `Bun.serve` has the address of the client.
   */
  readonly fetch: (request: Request, context?: unknown) => Promise<Response>;
  /** In process: `control()`, `reload()`, its keys. */
  readonly mock: Mock;
  /** The first of its keys, for a header such as `Authorization: Bearer <key>`. */
  readonly key: string;
}

/**
 * A mock for a server that hands over requests of the Fetch standard. Rejects with a `PetstoreError`
 * for options that do not fit the document.
 */
export async function createFetchHandler(options: HandlerOptions = {}): Promise<FetchHandler> {
  refuseUnknownOptions('createFetchHandler', options, optionNames);
  const { contract = await loadBundledContract(), control = {}, ...others } = options;
  const mock = createMock(contract, others);
  const answer = createFetch(mock, { isServed: true });
  let opened: Promise<ControlFetch | undefined> | undefined;
  return {
    mock,
    key: mock.keys[0]?.key ?? '',
    async fetch(request, context) {
      try {
        if (control === false || !isControlTarget(targetOf(request.url), mock.contract))
          return await answer(request);
        const controls = await (opened ??= openControl(mock, control, Date.now()));
        return await (controls?.(request, context) ?? answer(request));
      } catch (error) {
        return brokenResponse(error);
      }
    },
  };
}

/** A handler cannot make a server close a connection, so the body fails instead. */
function brokenResponse(error: unknown): Response {
  const isMeant = error instanceof TypeError && error.cause instanceof ConnectionBroken;
  const body = new ReadableStream({ pull: (controller) => controller.error(error) });
  return new Response(body, { status: isMeant ? 200 : 500 });
}
