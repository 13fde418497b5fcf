import type { DiagnosticLog } from '../diagnostic-log.ts';
import { appendPointer } from '../../json/pointer.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';

/** A document of version 2.0 while it becomes one of 3.0, in place. */
export interface Conversion {
  readonly document: JsonObject;
  /** Notes that a value will stand for a place of the document as it was. */
  readonly moveFrom: (value: JsonValue | undefined, pointer: string) => void;
  /** Reports what is read otherwise than it is written. */
  readonly warn: (pointer: string, reason: string, remedy: string) => void;
  /** The media types of bodies that requests carry where an operation does not say. */
  readonly consumes: readonly string[];
  /** The same for responses. */
  readonly produces: readonly string[];
}

export function createConversion(document: JsonObject, log: DiagnosticLog): Conversion {
  return {
    document,
    moveFrom: (value, pointer) => log.origins.keep(document, value, pointer),
    warn: (pointer, reason, remedy) => log.warn(pointer, reason, remedy),
    consumes: mediaTypes(document['consumes']) ?? ['application/json'],
    produces: mediaTypes(document['produces']) ?? ['application/json'],
  };
}

/** Undefined for none. */
export function mediaTypes(value: JsonValue | undefined): readonly string[] | undefined {
  const names = isJsonArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return names.length === 0 ? undefined : names;
}

/** Runs over the items or members of a value, each with its pointer. */
export function forEachMember(
  value: JsonValue | undefined,
  pointer: string,
  run: (member: JsonValue, pointer: string, name: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) run(member, appendPointer(pointer, name), name);
}
