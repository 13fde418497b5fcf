import * as codec from '../../contract/json/codec.ts';
import { parseJson } from '../../contract/json/value.ts';
import type { Sandbox, Snapshot } from '../sandbox/sandbox.ts';
import { onTime } from '../sandbox/clock.ts';
import type { MockRuntime } from '../served-document/served-document.ts';
import { faultsOf } from './fault/faults.ts';
import { stubsOf } from './stub/stubs.ts';

/**
 * Makes a sandbox what it was, except for its journal and its snapshots. Throws `PetstoreError`, and
 * changes nothing, if the document does not have its choices or limits now.
 */
export function restoreSandbox(
  runtime: MockRuntime,
  sandbox: Sandbox,
  { document, state, clock, choices, limits, buckets, rules }: Snapshot,
): void {
  runtime.serviceFor(choices).openMeter(undefined, limits);
  sandbox.limits = limits;
  runtime.choose(sandbox, choices);
  sandbox.store.restore(state);
  const { collections } = sandbox.service;
  if (document !== sandbox.document) sandbox.store.convert((path) => collections.findPlain(path));
  sandbox.clock.restore(clock);
  sandbox.restoreCounts(buckets);
  const { faults, stubs } = codec.jsonObject.read(rules === '' ? {} : parseJson(rules), '');
  faultsOf(sandbox).restore(faults);
  stubsOf(sandbox, runtime.sandboxes.memory).restore(stubs, true);
}

/** Makes a sandbox a new one, except for its journal. */
export function renewSandbox(runtime: MockRuntime, sandbox: Sandbox): void {
  restoreSandbox(runtime, sandbox, {
    document: runtime.sandboxes.main.document,
    state: new Map(),
    clock: onTime,
    choices: {},
    limits: {},
    buckets: new Map(),
    rules: '',
  });
  sandbox.snapshots.clear();
  runtime.sandboxes.initialize?.(sandbox);
}
