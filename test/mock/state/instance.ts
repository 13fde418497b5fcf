import type { Contract } from '../../../contract/contract.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { SandboxControl } from '../../../mock/control/sandbox-control.ts';
import type { MockRequest, MockResponse } from '../../../mock/http/message.ts';
import { type Mock, createMock } from '../../../mock/mock.ts';
import type { MockOptions } from '../../../mock/served-document/options.ts';

/** For tests: one of the mocks that share an engine. */
export interface Instance {
  readonly mock: Mock;
  readonly notices: readonly string[];
  /** With the key `enterprise_alice` unless another is given. */
  send(method: string, path: string, sent?: Sent): Promise<MockResponse>;
  /** Acts on a sandbox, and resolves once that is kept. */
  act<Value>(sandbox: string, act: (control: SandboxControl) => Value): Promise<Value>;
}

interface Sent {
  readonly key?: string;
  readonly json?: JsonObject;
}

export function openInstance(contract: Contract, options: MockOptions): Instance {
  const notices: string[] = [];
  const mock = createMock(contract, { onNotice: (notice) => notices.push(notice), ...options });
  return {
    mock,
    notices,
    async send(method, path, { key = 'enterprise_alice', json } = {}) {
      const request: MockRequest = {
        method,
        target: contract.basePath + path,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        content: json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json)),
      };
      return (await mock.respond?.(request)) ?? mock.handle(request);
    },
    async act(name, act) {
      const control = await mock.control();
      return await control.within([name], () => act(control.sandbox(name)));
    },
  };
}

/** The value of a header of a response. */
export function headerOf({ headers }: MockResponse, name: string): string {
  return headers[headers.indexOf(name) + 1] ?? '';
}
