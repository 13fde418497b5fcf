import type { Contract } from '../../contract/contract.ts';
import { petstore } from '../contract/petstore.ts';
import {
  type ControlClient,
  type ControlClientOptions,
  createControlClient,
} from '../../mock/control/client.ts';
import {
  type Listening,
  type MockRequest,
  type ListenOptions,
  type MockOptions,
  createMock,
} from '../../mock/index.ts';
import { renderTestRequest, type TestRequest } from '../mock/test-client.ts';

export interface MockServerOptions extends MockOptions {
  /** Default: the bundled document. */
  readonly contract?: Contract;
  readonly listen?: ListenOptions;
}

/** A mock that listens on a free port of this machine. */
export interface MockServer {
  /** `http://127.0.0.1:<port>`, where its page is. */
  readonly origin: string;
  /** Base URL of the service. */
  readonly url: string;
  readonly control: ControlClient;
  /** Sends a request to the service; the default key is `demo-free`, undefined sends none. */
  send(method: string, path: string, request?: TestRequest): Promise<Response>;
  /** Handles a request without a connection: for large numbers. */
  handle(request: MockRequest): void;
  stop(): Promise<void>;
  /** Starts another mock on the same port. */
  restart(): Promise<void>;
}

/** Starts a mock in this process. */
export async function startMockServer({
  contract = petstore,
  listen = {},
  ...options
}: MockServerOptions = {}): Promise<MockServer> {
  let mock = createMock(contract, options);
  let server: Listening | undefined = await mock.listen(listen);
  const { url, port } = server;
  const { origin } = new URL(url);
  const stop = async (): Promise<void> => {
    await server?.close();
    server = undefined;
  };
  return {
    origin,
    url,
    control: createControlClient(origin, tokenOf(listen)),
    stop,
    handle: (request) => void mock.handle(request),
    async restart() {
      await stop();
      mock = createMock(contract, options);
      server = await mock.listen({ ...listen, port });
    },
    send: async (method, path, request = {}) => {
      const { headers, content } = renderTestRequest(request);
      const body = content === undefined ? {} : { body: content };
      return await fetch(url + path, { method, headers, ...body });
    },
  };
}

function tokenOf({ control }: ListenOptions): ControlClientOptions {
  return typeof control === 'object' && control.token !== undefined ? { token: control.token } : {};
}
