import type { Finding } from '../../diagnostic/diagnostic-log.ts';
import type { JsonObject } from '../../json/value.ts';
import type { SchemaDialect } from '../../document/dialect.ts';
import type { Place } from './place.ts';

/** Why a reference was not followed, and what would have it followed: `Correct the reference`. */
export interface ClosedReference {
  readonly reason: string;
  readonly remedy: string;
}

/** A document while its faults are mended, in place. */
export interface Mending {
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
export type Rule = (object: JsonObject, place: Place | undefined, mending: Mending) => void;

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
