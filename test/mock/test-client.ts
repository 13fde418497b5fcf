import type { Contract } from '../../contract/contract.ts';
import { type JsonValue, parseJson, renderJson } from '../../contract/json/value.ts';
import type { MockRequest } from '../../mock/http/message.ts';
import { type Mock, createMock } from '../../mock/mock.ts';
import type { MockOptions } from '../../mock/served-document/options.ts';
import { headerMap, judgeResponse } from './response-judge.ts';

/** A clock that stops until it is moved. It starts at noon UTC, at the start of a minute. */
export interface TestClock {
  now(): number;
  advance(seconds: number): void;
}

export interface TestRequest {
  /** `demo-free` by default; undefined for none. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: JsonValue;
  /** Sent unchanged, with the media type `application/json` unless the headers have another. */
  readonly content?: string | Uint8Array;
  /** A body that the integration stopped reading. */
  readonly isTooLarge?: boolean;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body as JSON; null if it is empty. */
  readonly json: JsonValue;
}

/** A mock whose every response is judged: one that breaks the contract throws. */
export interface TestClient {
  readonly mock: Mock;
  readonly clock: TestClock;
  send(method: string, path: string, request?: TestRequest): TestResponse;
}

export function createTestClock(start = Date.UTC(2026, 5, 1, 12)): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(seconds) {
      now += seconds * 1000;
    },
  };
}

/** `path` is relative to the base path of the contract. */
export function createTestClient(
  contract: Contract,
  options: MockOptions = {},
  authorize = bearer,
): TestClient {
  const clock = createTestClock();
  const mock = createMock(contract, { clock, onFault: raise, ...options });
  return {
    mock,
    clock,
    send(method, path, request = {}) {
      const sent = compileRequest(method, contract.basePath + path, request, authorize);
      const response = mock.handle(sent);
      const faults = judgeResponse(contract, sent, response);
      if (faults.length > 0)
        throw new Error(
          `${method} ${path} answered ${response.status} ${response.body}: ${faults.join('; ')}`,
        );
      const headers = headerMap(response.headers);
      return {
        status: response.status,
        headers,
        text: response.body,
        json:
          response.body.startsWith('{') || response.body.startsWith('[')
            ? parseJson(response.body)
            : null,
      };
    },
  };
}

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

function compileRequest(
  method: string,
  target: string,
  request: TestRequest,
  authorize: typeof bearer,
): MockRequest {
  const { headers, content } = renderTestRequest(request, authorize);
  return { method, target, headers, content: request.isTooLarge === true ? 'too-large' : content };
}

/** The headers and the bytes of a request. */
export function renderTestRequest(request: TestRequest, authorize = bearer) {
  const key = 'key' in request ? request.key : 'demo-free';
  const content = request.json === undefined ? request.content : renderJson(request.json);
  return {
    headers: {
      ...(key === undefined ? {} : authorize(key)),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    content: content === undefined ? undefined : Buffer.from(content),
  };
}

function raise(fault: unknown): never {
  throw fault;
}
