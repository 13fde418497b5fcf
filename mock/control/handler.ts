import { type JsonObject, type JsonValue, isJsonObject, renderJson } from '../../contract/index.ts';
import type { StreamedResponse } from '../http/message.ts';
import { type Input, type Success, success } from '../operation/response/outcome.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Control } from './control.ts';
import type { MockFacts } from './description/describe-mock.ts';
import type { ControlDocument } from './description/control-document.ts';
import type { EventHub } from './events/event-hub.ts';
import { textOf } from './input.ts';
import type { SandboxControl } from './sandbox-control.ts';
import type { ControlTurns } from './turn.ts';

/** A request to the control interface, found to fit its document. */
export interface ControlRequest {
  readonly control: Control;
  readonly document: ControlDocument;
  readonly facts: MockFacts;
  /** Hosts that webhooks may be sent to, besides this machine. */
  readonly webhookHosts: readonly string[];
  readonly events: MockEvents;
  readonly turns: ControlTurns;
  /** Aborted when the response is wanted no more. */
  readonly signal: AbortSignal;
  /** The sandbox that the path names; `main` where it names none. */
  readonly sandbox: SandboxControl;
  readonly input: Input;
  /** Empty where there is none. */
  readonly body: JsonObject;
}

/** Tells clients what happens: requests, and whatever is given it. */
export type MockEvents = EventHub<{
  readonly entry: JournalEntry;
  readonly sandbox: SandboxControl;
}>;

/** What comes of a request; a success may have a body that goes on. */
export type ControlOutcome = Refusal | (Success & Pick<StreamedResponse, 'stream'>);

/** What an operation does. */
export type Handler = (request: ControlRequest) => ControlOutcome | Promise<ControlOutcome>;

/** Handlers by the id of their operation. */
export type Handlers = Readonly<Record<string, Handler>>;

/** The value of a path parameter. */
export function pathText({ parameters }: Input, name: string): string {
  return textOf(parameters.get(`path ${name}`)) ?? '';
}

/** The refusal for what a path parameter names, and is not there. */
export function missing(name: string, input: Input): Refusal {
  return refuse('not_found', `There is no ${name} "${pathText(input, name)}".`);
}

/** A success with JSON. */
export function json(value: JsonValue, status = 200): Success {
  return success(status, renderJson(value));
}

/** The reply once something is done that gives nothing. */
export function done(_nothing?: void): Success {
  return success(204, '');
}

/** The members of a body; none where there is no body. */
export function bodyOf({ body }: Input): JsonObject {
  return isJsonObject(body) ? body : {};
}
