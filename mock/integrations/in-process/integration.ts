import type { MockAnswer, MockRequest } from '../../http/message.ts';

/** What a door needs of a mock: any `Mock` has it. */
export interface DoorCore {
  readonly contract: { readonly basePath: string };
  readonly ready: Promise<void>;
  handle(request: MockRequest): MockAnswer;
  /** Waits as delayed answers do. Without it nothing is delayed. */
  sleep?(milliseconds: number): Promise<void>;
}
