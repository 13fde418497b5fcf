import type { Contract } from '../../../contract/contract.ts';
import { SandboxControl } from '../../../mock/control/sandbox-control.ts';
import type { MockRequest, MockResponse } from '../../../mock/http/message.ts';
import type { Clock } from '../../../mock/sandbox/clock.ts';
import { answerRequest } from '../../../mock/sandbox/pipeline.ts';
import type { Sandbox } from '../../../mock/sandbox/sandbox.ts';
import type { MockOptions } from '../../../mock/served-document/options.ts';
import { MockRuntime } from '../../../mock/served-document/served-document.ts';
import { StoredParts } from '../../../mock/state/durable/parts.ts';
import { renderJson } from '../../../contract/json/value.ts';

/** For tests: two mocks of which the second learns by stored parts alone what happens in the first. */
export interface Replicas {
  /** Answers in the first; with `twice` it is undone once and answered again. */
  request(request: MockRequest, twice?: boolean): MockResponse;
  /** Acts on a sandbox of the first. */
  control(act: (sandbox: SandboxControl) => void): void;
  /** The sandbox as a whole, in the first and in the second. */
  wholes(): { readonly first: string; readonly second: string };
  /** The second answers too, which is undone. */
  ask(request: MockRequest): MockResponse;
  /** From now on the second is one that was loaded as a whole. */
  reload(): void;
}

/** One of the two, and what it knows to be stored. */
class Replica {
  readonly runtime: MockRuntime;
  readonly #name: string;
  stored: StoredParts;

  constructor(runtime: MockRuntime, name: string) {
    this.runtime = runtime;
    this.#name = name;
    this.stored = new StoredParts(runtime);
    this.stored.restore(this.sandbox, true);
  }

  get sandbox(): Sandbox {
    return this.runtime.sandboxes.open(this.#name);
  }

  /** All parts but the time, which counts only with others. */
  get whole(): string {
    const changes = new StoredParts(this.runtime).compare(this.sandbox);
    const lines = changes
      .filter(({ part }) => part[0] !== 'time')
      .map(({ part, text }) => `${renderJson(part)} ${text()}`);
    return lines.toSorted().join('\n');
  }

  undo(): void {
    this.stored.restore(this.sandbox, false);
  }
}

/** All requests are to be for one sandbox. */
export function createReplicas(
  contract: Contract,
  options: MockOptions & { readonly clock: Clock },
  name: string,
): Replicas {
  const open = (): Replica => new Replica(new MockRuntime(contract, options, options.clock), name);
  const first = open();
  let second = open();
  const everything = new Map<string, string>();
  const replicate = (act: () => void): void => {
    try {
      act();
    } finally {
      const changes = first.stored.compare(first.sandbox);
      const parts = new Map(changes.map(({ part, text }) => [renderJson(part), text()]));
      for (const { commit } of changes) commit();
      for (const [part, text] of parts)
        if (text === undefined) everything.delete(part);
        else everything.set(part, text);
      second.stored.put(parts);
      second.undo();
    }
  };
  return {
    request(request, twice = false) {
      if (twice) {
        const before = first.whole;
        answerRequest(first.runtime.pipeline, request);
        answerRequest(first.runtime.pipeline, request);
        first.undo();
        if (first.whole !== before) throw new Error(`not undone: ${before}\n${first.whole}`);
      }
      const responses: MockResponse[] = [];
      replicate(() => void responses.push(answerRequest(first.runtime.pipeline, request)));
      const [response] = responses;
      if (response === undefined) throw new Error('There is no response.');
      return response;
    },
    control: (act) => replicate(() => act(new SandboxControl(first.runtime, first.sandbox))),
    wholes: () => ({ first: first.whole, second: second.whole }),
    ask(request) {
      const response = answerRequest(second.runtime.pipeline, request);
      second.undo();
      return response;
    },
    reload() {
      second = open();
      second.stored.put(everything);
      second.stored.restore(second.sandbox, true);
    },
  };
}
