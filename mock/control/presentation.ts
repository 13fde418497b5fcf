import type { JsonObject, JsonValue, Webhook } from '../../contract/index.ts';
import { renderInstant } from './json/instant.ts';
import { toJson } from './json/to-json.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** A sandbox in short. */
export function presentSandbox(sandbox: SandboxControl): JsonValue {
  const { name, requests, clock, faults, snapshots } = sandbox;
  return {
    name,
    keys: toJson(sandbox.knownKeys),
    requests,
    ...presentClock(sandbox),
    items: sandbox.itemCounts,
    faults: faults.length,
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
