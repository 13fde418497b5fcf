import type { Contract } from '../../../contract/index.ts';
import { SandboxControl } from '../../../mock/control/sandbox-control.ts';
import type { MockRequest, MockResponse } from '../../../mock/http/message.ts';
import type { Clock } from '../../../mock/sandbox/clock.ts';
import { answerRequest } from '../../../mock/sandbox/pipeline.ts';
import type { Sandbox } from '../../../mock/sandbox/sandbox.ts';
import type { MockOptions } from '../../../mock/served-document/options.ts';
import {
  type MockRuntime,
  createMockRuntime,
} from '../../../mock/served-document/served-document.ts';
import { applyChange, documentOf } from '../../../mock/state/change/apply.ts';
import {
  captureChange,
  captureWhole,
  markSandbox,
  undoRequest,
} from '../../../mock/state/change/capture.ts';
import { parseChange, renderChange } from '../../../mock/state/change/change.ts';

/** For tests: two mocks of which the second learns by changes alone what happens in the first. */
export interface Replicas {
  /** Answers in the first; with `twice` it is undone once and answered again. */
  request(request: MockRequest, twice?: boolean): MockResponse;
  /** Acts on a sandbox of the first. */
  control(act: (sandbox: SandboxControl) => void): void;
  /** The sandbox as a whole, in the first and in the second. */
  wholes(): { readonly first: string; readonly second: string };
  /** The second answers too, which is undone. */
  ask(request: MockRequest): MockResponse;
  /** From now on the second is one that was loaded, as a whole, from text. */
  reload(): void;
}

/** All requests are to be for one sandbox. */
export function createReplicas(
  contract: Contract,
  options: MockOptions & { readonly clock: Clock },
  name: string,
): Replicas {
  const open = (): MockRuntime => createMockRuntime(contract, options, options.clock);
  const first = open();
  let second = open();
  const author = { nextId: () => '', document: documentOf(first.service), stubsDigest: '' };
  const sandboxOf = ({ sandboxes }: MockRuntime): Sandbox => sandboxes.open(name);
  const whole = (runtime: MockRuntime): string =>
    renderChange(captureWhole(sandboxOf(runtime), author));
  const replicate = (act: () => void): void => {
    const sandbox = sandboxOf(first);
    const mark = markSandbox(sandbox);
    try {
      act();
    } finally {
      const line = renderChange(captureChange(sandbox, mark, author));
      applyChange(sandboxOf(second), parseChange(line), second);
    }
  };
  return {
    request(request, twice = false) {
      if (twice) {
        const sandbox = sandboxOf(first);
        const before = whole(first);
        const mark = markSandbox(sandbox);
        answerRequest(first.pipeline, request);
        const next = markSandbox(sandbox);
        answerRequest(first.pipeline, request);
        undoRequest(sandbox, next);
        undoRequest(sandbox, mark);
        if (whole(first) !== before) throw new Error(`not undone: ${before}\n${whole(first)}`);
      }
      const responses: MockResponse[] = [];
      replicate(() => void responses.push(answerRequest(first.pipeline, request)));
      const [response] = responses;
      if (response === undefined) throw new Error('There is no response.');
      return response;
    },
    control: (act) => replicate(() => act(new SandboxControl(first, sandboxOf(first)))),
    wholes: () => ({ first: whole(first), second: whole(second) }),
    ask(request) {
      const sandbox = sandboxOf(second);
      const mark = markSandbox(sandbox);
      const response = answerRequest(second.pipeline, request);
      undoRequest(sandbox, mark);
      return response;
    },
    reload() {
      const text = whole(second);
      second = open();
      applyChange(sandboxOf(second), parseChange(text), second);
    },
  };
}
