import type { MockResponse, MockRequest } from '../../http/message.ts';

/** What an integration needs of a mock: any `Mock` has it. */
export interface IntegrationCore {
  readonly contract: { readonly basePath: string };
  readonly ready: Promise<void>;
  handle(request: MockRequest): MockResponse;
  /** In the place of `handle`, where state is kept outside of the process. */
  readonly respond?: ((request: MockRequest) => Promise<MockResponse>) | undefined;
  /** Waits as delayed answers do. A signal ends the wait. Without it nothing is delayed. */
  sleep?(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
