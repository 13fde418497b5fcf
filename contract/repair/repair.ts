import { setMember } from '../json/edit.ts';
import type { JsonObject } from '../json/value.ts';
import { wordOf } from '../json/word.ts';
import type { ClosedReference } from '../source/bundle.ts';
import type { DiagnosticLog } from '../source/diagnostic-log.ts';
import { schemaDialect } from '../source/dialect.ts';
import type { Origins } from '../source/origin.ts';
import { Cursor, type Repair } from './cursor.ts';
import { repairInheritance } from './inheritance.ts';
import { repairOperations } from './operations.ts';
import { boundSteps } from './steps.ts';
import { repairValues } from './walk.ts';

/**
 * Makes a document valid, in place: what is wrong is corrected or left out, and reported. `closed`:
 * why references to files were not followed, by their path.
 */
export function repairDocument(
  document: JsonObject,
  origins: Origins,
  log: DiagnosticLog,
  closed: ReadonlyMap<string, ClosedReference>,
): void {
  const base: Repair = { document, dialect: '3.1', origins, log, closed };
  repairVersion(new Cursor(document, '#', base));
  const repair: Repair = { ...base, dialect: schemaDialect(document) };
  const schemas = repairValues(repair);
  boundSteps(repair, schemas);
  repairInheritance(repair, schemas);
  repairOperations(repair);
}

/** A version that is missing, not a string, or not known. */
function repairVersion(cursor: Cursor): void {
  const { openapi } = cursor.object;
  if (openapi === undefined) {
    const remedy = 'Add openapi: 3.1.0; it is read as that.';
    cursor.fix('warning', undefined, 'openapi is missing', remedy);
    return setMember(cursor.object, 'openapi', '3.1.0');
  }
  const text = wordOf(openapi);
  if (/^3\.[012]\.\d+$/.test(text) && openapi === text) return;
  const known = /^3\.0\b/.test(text) ? '3.0.4' : '3.1.1';
  cursor.fix(
    'warning',
    'openapi',
    `${JSON.stringify(openapi)} is not a known version`,
    `Write ${known}; it is read as that.`,
  );
  cursor.set('openapi', known);
}
