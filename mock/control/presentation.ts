import { type JsonObject, type JsonValue, isJsonArray, parseJson } from '../../contract/index.ts';
import type { Exchange } from '../exchange-record.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** A value of the mock as JSON: members that are undefined are left out. */
export function toJson(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value));
}

/** A sandbox in short. */
export function presentSandbox(sandbox: SandboxControl): JsonValue {
  const { name, requests, clock, faults, snapshots } = sandbox;
  return { name, requests, ...presentClock(sandbox), items: countItems(sandbox.readState()), faults: faults.length, snapshots, frozen: clock.state.kind === 'frozen' };
}

/** The time of a sandbox. */
export function presentClock({ clock }: SandboxControl): JsonObject {
  return { now: instant(clock.now()), frozen: clock.state.kind === 'frozen' };
}

/** Instants as dates, and what there is not left out. */
export function presentExchange(exchange: Exchange): JsonValue {
  const { at, rate, preferred, ...others } = exchange;
  return toJson({
    ...others,
    at: instant(at),
    rate: rate === undefined ? undefined : { ...rate, resetAt: instant(rate.resetAt) },
    preferred: preferred === '' ? undefined : preferred,
  });
}

function countItems(state: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(state).map(([path, items]) => [path, isJsonArray(items) ? items.length : 0]));
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
