import type { DiagnosticLog } from '../diagnostic/diagnostic-log.ts';
import type { Origins } from '../diagnostic/origin.ts';
import type { JsonObject } from '../json/value.ts';
import { schemaDialect } from '../document/dialect.ts';
import type { ClosedReference, Mending } from './base/mending.ts';
import { pointerOf } from './base/place.ts';
import { mendValues } from './walk.ts';
import { mendCostlySchemas } from './whole/costly-schemas.ts';
import { mendEndlessSchemas } from './whole/endless-schemas.ts';
import { mendPathParameters } from './whole/path-parameters.ts';
import { mendSecurity } from './whole/security.ts';
import { mendSameOperations } from './whole/unique-operations.ts';
import { mendVersion } from './whole/version.ts';

/**
 * Makes a document sound, in place: what is at fault is put right or left out, and reported.
 * `closed`: why references to files were not followed, by their path.
 */
export function mendDocument(
  document: JsonObject,
  origins: Origins,
  log: DiagnosticLog,
  closed: ReadonlyMap<string, ClosedReference>,
): void {
  const base: Omit<Mending, 'dialect'> = {
    document,
    whyClosed: (reference) => closed.get(reference.split('#', 1)[0] ?? ''),
    report: (place, finding) => log.report(document, pointerOf(place), finding),
    keepOrigin: (value, place) => {
      if (typeof value === 'object' && value !== null && origins.get(value) === undefined)
        origins.set(value, origins.trace(document, pointerOf(place)));
    },
  };
  mendVersion(base);
  const mending: Mending = { ...base, dialect: schemaDialect(document) };
  const schemas = mendValues(mending);
  mendEndlessSchemas(mending, schemas);
  mendCostlySchemas(mending, schemas);
  mendSameOperations(mending);
  mendPathParameters(mending);
  mendSecurity(mending);
}
