import type { DiagnosticLog } from '../source/diagnostic-log.ts';
import type { Origins } from '../source/origin.ts';
import type { JsonObject } from '../json/value.ts';
import { schemaDialect } from '../source/dialect.ts';
import type { ClosedReference } from '../source/bundle.ts';
import type { Repair } from './base/repair.ts';
import { pointerOf } from './base/place.ts';
import { repairValues } from './walk.ts';
import { repairCostlySchemas } from './whole/costly-schemas.ts';
import { repairEndlessSchemas } from './whole/endless-schemas.ts';
import { repairPathParameters } from './whole/path-parameters.ts';
import { repairSecurity } from './whole/security.ts';
import { repairSameOperations } from './whole/unique-operations.ts';
import { repairVersion } from './whole/version.ts';

/**
 * Makes a document sound, in place: what is at fault is put right or left out, and reported.
 * `closed`: why references to files were not followed, by their path.
 */
export function repairDocument(
  document: JsonObject,
  origins: Origins,
  log: DiagnosticLog,
  closed: ReadonlyMap<string, ClosedReference>,
): void {
  const base: Omit<Repair, 'dialect'> = {
    document,
    whyClosed: (reference) => closed.get(reference.split('#', 1)[0] ?? ''),
    report: (place, finding) => log.report(document, pointerOf(place), finding),
    keepOrigin: (value, place) => {
      if (typeof value === 'object' && value !== null && origins.get(value) === undefined)
        origins.set(value, origins.trace(document, pointerOf(place)));
    },
  };
  repairVersion(base);
  const repair: Repair = { ...base, dialect: schemaDialect(document) };
  const schemas = repairValues(repair);
  repairEndlessSchemas(repair, schemas);
  repairCostlySchemas(repair, schemas);
  repairSameOperations(repair);
  repairPathParameters(repair);
  repairSecurity(repair);
}
