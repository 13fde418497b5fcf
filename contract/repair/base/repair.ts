import type { Finding } from '../../source/diagnostic-log.ts';
import type { JsonObject } from '../../json/value.ts';
import type { SchemaDialect } from '../../source/dialect.ts';
import type { ClosedReference } from '../../source/bundle.ts';
import type { Place } from './place.ts';

/** A document while its faults are repaired, in place. */
export interface Repair {
  readonly document: JsonObject;
  readonly dialect: SchemaDialect;
  /** Why a reference to another file was not followed; undefined for one that was. */
  readonly whyClosed: (reference: string) => ClosedReference | undefined;
  /** Tells of a fault. Before the change, so that the place is still that of the text. */
  readonly report: (place: Place | undefined, finding: Finding) => void;
  /** Keeps the origin of a value that is about to stand somewhere else. */
  readonly keepOrigin: (value: unknown, place: Place | undefined) => void;
}

/** Puts right one kind of fault of an object, in place. */
export type Rule = (object: JsonObject, place: Place | undefined, repair: Repair) => void;

/** It is read as it was probably meant. */
export function warning(reason: string, remedy: string): Finding {
  return { level: 'warning', reason, remedy };
}

/** It is left out. */
export function setAside(reason: string, remedy: string): Finding {
  return { level: 'error', reason, remedy };
}

export function hint(reason: string, remedy: string): Finding {
  return { level: 'hint', reason, remedy };
}
