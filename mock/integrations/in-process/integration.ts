import type { MockResponse, MockRequest } from '../../http/message.ts';

/** What an integration needs of a mock: any `Mock` has it. */
export interface IntegrationCore {
  readonly contract: { readonly basePath: string };
  readonly ready: Promise<void>;
  handle(request: MockRequest): MockResponse;
  /** Waits as delayed answers do. Without it nothing is delayed. */
  sleep?(milliseconds: number): Promise<void>;
}
