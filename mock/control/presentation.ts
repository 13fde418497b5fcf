import { type JsonObject, type JsonValue, type Webhook, codec } from '../../contract/index.ts';
import { renderInstant } from './json/instant.ts';
import { toJson, toObject } from './json/to-json.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { type Stub, stubRule } from './stub/stub.ts';

/** A sandbox in short. */
export function presentSandbox(sandbox: SandboxControl): JsonValue {
  const { name, requests, clock, faults, stubs, snapshots } = sandbox;
  return {
    name,
    keys: toJson(sandbox.knownKeys),
    requests,
    ...presentClock(sandbox),
    items: sandbox.itemCounts,
    faults: faults.length,
    stubs: stubs.all.length,
    snapshots,
    frozen: clock.state.kind === 'frozen',
  };
}

/** The time of a sandbox. */
export function presentClock({ clock }: SandboxControl): JsonObject {
  return { now: renderInstant(clock.now()), frozen: clock.state.kind === 'frozen' };
}

/** A webhook or callback as the document has it, its schemas by their pointers. */
export function presentWebhook(webhook: Webhook): JsonValue {
  const { name, method, pointer, summary, requestBody, callback } = webhook;
  return toJson({
    name,
    kind: callback === undefined ? 'webhook' : 'callback',
    method,
    ...callback,
    summary: summary === '' ? undefined : summary,
    pointer,
    content: (requestBody?.content ?? []).map((content) => ({
      mediaType: content.name,
      schema: content.schema?.pointer,
    })),
  });
}

/** A stub with its rule, its uses and what it breaks. */
export function presentStub({ id, origin, applied, warnings, ...rule }: Stub): JsonObject {
  return {
    id,
    ...toObject({ origin, applied }),
    warnings: toJson(warnings),
    ...codec.jsonObject.read(stubRule.render(rule), ''),
  };
}

export function presentStubs(stubs: readonly Stub[]): JsonValue {
  return stubs.map(presentStub);
}
