import { setMember } from '../json/edit.ts';
import { renderJson, type JsonObject, wordOf } from '../json/value.ts';
import type { ClosedReference } from '../source/bundle.ts';
import type { DiagnosticLog } from '../source/diagnostic-log.ts';
import { schemaDialect } from '../source/dialect.ts';
import { Cursor, type Repair } from './cursor.ts';
import { boundSteps, boundValues, repairInheritance } from './schema-graph.ts';
import { repairOperations } from './operation.ts';
import { repairValues } from './walk.ts';

/**
 * Makes a document valid, in place: what is wrong is corrected or left out, and reported. `closed`:
 * why references to files were not followed, by their path.
 */
export function repairDocument(
  document: JsonObject,
  log: DiagnosticLog,
  closed: ReadonlyMap<string, ClosedReference>,
): void {
  const base: Repair = {
    document,
    dialect: '3.1',
    log,
    closed,
    patterns: new Map(),
  };
  repairVersion(new Cursor(document, '#', base));
  const repair: Repair = { ...base, dialect: schemaDialect(document) };
  const schemas = repairValues(repair);
  reportNoPaths(new Cursor(document, '#', repair));
  boundSteps(repair, schemas);
  boundValues(repair, schemas);
  repairInheritance(repair, schemas);
  repairOperations(repair);
}

/** A version that is missing, not a string, not known or not supported. */
function repairVersion(cursor: Cursor): void {
  const { openapi, swagger } = cursor.object;
  if (openapi === undefined) {
    const code = 'unsupported-version';
    if (swagger === undefined) {
      const fix = 'Add openapi: 3.1.0; it is read as that.';
      cursor.report(code, undefined, 'openapi is missing', fix);
    } else {
      const fix = 'Convert the document to OpenAPI 3; until then it is read as 3.1.0.';
      cursor.leaveOut(code, 'swagger', `${renderJson(swagger)} is not a supported version`, fix);
    }
    return setMember(cursor.object, 'openapi', '3.1.0');
  }
  const text = wordOf(openapi);
  if (/^3\.[012]\.\d+$/.test(text) && openapi === text) return;
  const known = /^3\.0\b/.test(text) ? '3.0.4' : '3.1.1';
  const word = /^3(\.[012](\D|$)|$)/.test(text) ? 'known' : 'supported';
  cursor.report(
    `un${word}-version`,
    'openapi',
    `${renderJson(openapi)} is not a ${word} version`,
    `Write ${known}; it is read as that.`,
  );
  cursor.set('openapi', known);
}

/** A document without operations, as a text that was cut off early has it. */
function reportNoPaths(cursor: Cursor): void {
  const { openapi, paths, webhooks, components } = cursor.object;
  if (paths !== undefined) return;
  const message = 'paths is missing';
  const fix = 'Add paths; until then there are no operations.';
  if (webhooks === undefined && components === undefined)
    cursor.report('missing-paths', undefined, message, fix);
  else if (wordOf(openapi).startsWith('3.0'))
    cursor.report('missing-member', undefined, message, 'Add paths: {}; it is read as that.');
}
