import { expect } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { parseJson } from '../../../contract/json/value.ts';
import { loadContract } from '../../../contract/load.ts';
import { type Mock, type MockOptions, createMock } from '../../../mock/index.ts';
import type { ListenOptions } from '../../../mock/integrations/node/server.ts';
import { loadPetstore } from '../contracts.ts';
import { judgeResponse } from '../response-judge.ts';
import { createTestClock } from '../test-client.ts';
import { type ControlClient, createControlClient } from '../../../mock/control/client.ts';
import { loadControlContract } from '../../../mock/control/declaration/document.ts';

/** A listening mock with a client for its control interface; closed with its scope. */
export interface OpenMock extends AsyncDisposable {
  readonly mock: Mock;
  /** Base URL of the service. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  /** Every response is judged by the document of the interface. */
  readonly control: ControlClient;
  close(): Promise<void>;
}

export async function openMock(
  contract?: Contract,
  options: MockOptions & { readonly listen?: ListenOptions } = {},
): Promise<OpenMock> {
  const { listen, ...rest } = options;
  const mock = createMock(contract ?? (await loadPetstore()), {
    clock: createTestClock(),
    ...rest,
  });
  const listening = await mock.listen(listen);
  const { url, port } = listening;
  const close = async (): Promise<void> => await listening.close();
  const judged = createJudgedFetch(await loadControlContract());
  const { origin } = new URL(url);
  const control = createControlClient(url, { fetch: judged });
  return { mock, url, origin, port, control, close, [Symbol.asyncDispose]: close };
}

/** A contract with only paths. */
export async function contractOf(document: object): Promise<Contract> {
  return await loadContract({
    text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, ...document }),
  });
}

/**
 * Like `fetch`, but every response must match the document of the interface, and so must every accepted
 * request body.
 */
export function createJudgedFetch(own: Contract): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const body = await response.clone().text();
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const request = { method, target: url.pathname + url.search, headers: {}, content: undefined };
    const headers = [...response.headers].flat();
    expect(judgeResponse(own, request, { status: response.status, headers, body })).toEqual([]);
    const operation = own.operations.find(
      (one) =>
        one.method === method &&
        new RegExp(`^/_mock${one.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(url.pathname),
    );
    expect(operation).toBeDefined();
    const content = operation?.requestBody?.content[0]?.schema;
    if (response.ok && typeof init?.body === 'string')
      expect(content?.validate(parseJson(init.body))).toEqual([]);
    return response;
  };
}
