import type { Contract } from '../../../contract/index.ts';
import type { Control } from '../../control/control.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import type { Refusal } from '../../operation/response/refusal.ts';
import type { ConnectionWatcher } from './connection-watch.ts';

/** What an integration needs of a mock. */
export interface Core {
  readonly contract: Pick<Contract, 'basePath' | 'operations'>;
  handle(request: MockRequest): MockResponse;
  /** In the place of `handle`, where state is kept outside of the process. */
  readonly respond?: ((request: MockRequest) => Promise<MockResponse>) | undefined;
  refuse(refusal: Refusal, connection?: object): MockResponse;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  control(): Promise<Control>;
  /** Wants to know of connections. */
  readonly connections?: ConnectionWatcher;
}
