import { setupWorker } from 'msw/browser';
import { type JsonValue, isJsonObject, parseJson } from '../../../../contract/json/value.ts';
import { loadContract } from '../../../../contract/load.ts';
import type { FaultRule } from '../../../../mock/control/declaration/schemas.ts';
import { createMock } from '../../../../mock/index.ts';
import { mockHandlers } from '../../../../mock/integrations/msw/msw.ts';

/** The input of the page: only texts, because nothing else can be passed to a page. */
export interface PageOptions {
  readonly baseUrl: string;
  /** Text of the document. */
  readonly document: string;
  /** Text of the initial inventory. */
  readonly seed: string;
}

/** What a test can do to the mock in the page. */
export interface PageMock {
  /** Advances its clock. */
  readonly advance: (milliseconds: number) => void;
  /** Adds a fault to a sandbox. */
  readonly addFault: (sandbox: string, rule: FaultRule) => Promise<void>;
}

/** Runs in the page of the browser test: starts a mock behind MSW's service worker. */
async function startMock({ baseUrl, document, seed }: PageOptions): Promise<PageMock> {
  let ahead = 0;
  const contract = await loadContract({ text: document, name: 'openapi.yaml' });
  const mock = createMock(contract, {
    seed: objectOf(parseJson(seed)),
    clock: { now: () => Date.now() + ahead },
  });
  await setupWorker(...mockHandlers(mock, baseUrl)).start({
    quiet: true,
    onUnhandledFrame: 'bypass',
  });
  return {
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    addFault: async (sandbox, rule) => void (await mock.control()).sandbox(sandbox).addFault(rule),
  };
}

function objectOf(
  value: JsonValue,
): NonNullable<NonNullable<Parameters<typeof createMock>[1]>['seed']> {
  return isJsonObject(value) ? value : {};
}

Object.assign(globalThis, { startMock });
