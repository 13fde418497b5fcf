import { removeMember } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  renderJson,
  wordOf,
} from '../json/value.ts';
import { listMethods } from '../openapi/operation.ts';
import type { ClosedReference } from '../source/file.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import { createDocumentNode, type DocumentNode, followReference } from '../source/node.ts';
import { withoutStacks } from '../source/yaml.ts';
import { Cursor, References, type Repair } from './cursor.ts';
import {
  boundValues,
  cutCircles,
  repairContradictions,
  repairInheritance,
  repairUnions,
} from './schema-graph.ts';
import { isSwagger, moveComponents, removeBodyParameters } from './swagger.ts';
import { Walk } from './walk.ts';

/**
 * Makes a document valid version 3, in place: errors are corrected or omitted, and reported. `closed`: why
 * references to files were not followed, by path. @returns its schemas with their pointers
 */
export function repairDocument(
  document: JsonObject,
  log: DiagnosticLog,
  closed: ReadonlyMap<string, ClosedReference> = new Map(),
): ReadonlyMap<JsonObject, string> {
  const json = ['application/json'];
  const repair: Repair = {
    document,
    isSwagger: isSwagger(document),
    consumes: json,
    produces: json,
    consumed: new Map(),
    responseTypes: 0,
    references: new References(document),
    log,
    closed,
    patterns: new Map(),
  };
  const root = new Cursor(document, '#', repair);
  return withoutStacks(() => {
    moveComponents(root);
    repairVersion(root);
    const schemas = new Walk(repair).run();
    removeBodyParameters(root);
    reportNoPaths(root);
    repairUnions(repair, schemas);
    cutCircles(repair, schemas);
    boundValues(repair, schemas);
    repairContradictions(repair, schemas);
    repairInheritance(repair, schemas);
    repairOperations(root);
    return schemas;
  });
}

/** The version is missing, not a string, unknown or unsupported. */
function repairVersion(cursor: Cursor): void {
  const { openapi, swagger } = cursor.object;
  const version = openapi ?? swagger;
  const text = wordOf(version);
  if (/^3\.[012]\.\d+$/.test(text) && openapi === text) return;
  const known = /^3\.0\b/.test(text) ? '3.0.4' : '3.1.1';
  const word = /^3(\.[012](\D|$)|$)/.test(text) ? 'known' : 'supported';
  const member = openapi === undefined ? 'swagger' : 'openapi';
  cursor.report(
    `un${word}-version`,
    version === undefined ? undefined : member,
    version === undefined
      ? 'openapi is missing'
      : `${renderJson(version)} is not a ${word} version`,
    `Write openapi: ${known}; it is read as that.`,
  );
  cursor.change({ swagger: undefined, openapi: known });
}

/** Reports a document without operations, such as a truncated one. */
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

interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Cursor;
  /** The path item, which several paths may share by reference. */
  readonly item: Cursor;
}

/**
 * Repairs what depends on several parts of the document: operations that match the same requests or have
 * the same id, path parameters, and security requirements.
 */
function repairOperations(root: Cursor): void {
  const operations = listOperations(root);
  repairSameOperations(operations);
  const seen = new Set<JsonObject>();
  for (const placed of operations) repairPathParameters(placed, seen);
  const schemes = objectOf(objectOf(root.object['components'])['securitySchemes']);
  for (const holder of [root, ...operations.map(({ operation }) => operation)])
    repairSecurity(holder, schemes);
}

/** Most operations of a document. */
const maxOperations = 5_000;

/** Operations in the document's order, with references to path items followed. */
function listOperations({ object, repair }: Cursor): readonly PlacedOperation[] {
  const operations: PlacedOperation[] = [];
  const paths = createDocumentNode(object).get('paths');
  const place = ({ object: target, pointer }: DocumentNode) => new Cursor(target, pointer, repair);
  for (const [path, item] of paths?.entries() ?? []) {
    const found = path.startsWith('/') ? listMethods(item) : new Map<string, DocumentNode>();
    if (operations.length + found.size > maxOperations) {
      const message = `with it the document has more than ${maxOperations} operations`;
      const fix = 'Divide the document; until then this path and those after it are ignored.';
      repair.log.report('too-large', appendPointer('#/paths', path), message, fix);
      const names = Object.keys(paths?.object ?? {});
      for (const name of names.slice(names.indexOf(path)))
        removeMember(Object(paths?.object), name);
      break;
    }
    for (const [method, operation] of found)
      operations.push({ path, method, operation: place(operation), item: place(item) });
  }
  return operations;
}

function repairSameOperations(operations: readonly PlacedOperation[]): void {
  const routes = new Map<string, string>();
  const ids = new Map<string, PlacedOperation>();
  for (const placed of operations) {
    const { path, method, operation } = placed;
    const route = `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
    const rival = routes.get(route);
    if (rival === undefined) routes.set(route, path);
    else
      operation.report(
        'ambiguous-path',
        undefined,
        `${method} ${path} matches the same requests as ${rival}`,
        'Give it another path; it serves the requests that fit its path parameters better.',
      );
    const { operationId: id } = operation.object;
    const twin = ids.get(wordOf(id));
    if (typeof id !== 'string') continue;
    if (twin === undefined) {
      ids.set(id, placed);
      continue;
    }
    const message = `operationId ${id} is also that of ${twin.method} ${twin.path}`;
    const fix = `Give it another id; it is known as ${method} ${path}.`;
    operation.report('duplicate-id', undefined, message, fix);
    if (operation.object !== twin.operation.object) operation.remove('operationId');
  }
}

/**
 * Removes duplicate parameters, and adds missing ones of the path. `seen`: path items and operations of
 * other paths.
 */
function repairPathParameters(
  { path, operation, item }: PlacedOperation,
  seen: Set<JsonObject>,
): void {
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name));
  const missing = new Set(inPath);
  for (const holder of [item, operation]) {
    const keys = new Set<string>();
    const isNew = !seen.has(holder.object);
    seen.add(holder.object);
    const list = holder.list('parameters');
    list?.filter((value, index) => {
      const parameter = follow(holder, value);
      const [place, name] = [wordOf(parameter?.['in']), wordOf(parameter?.['name'])];
      if (place === 'path') missing.delete(name);
      if (parameter === undefined || !isNew) return !isNew;
      const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
      const isTwice = keys.has(key);
      const message = isTwice
        ? `the ${place} parameter ${name} is described twice`
        : place === 'path' && !inPath.has(name)
          ? `the path parameter ${name} is not in the path ${path}`
          : undefined;
      keys.add(key);
      if (message !== undefined)
        list.report('unused-parameter', index, message, 'Remove it; it is ignored.');
      // Another path with the same path item may have it.
      return !isTwice;
    });
  }
  for (const name of missing) {
    const message = `the path parameter ${name} of ${path} is not described`;
    const fix = 'Describe it; until then any string is accepted.';
    operation.report('undescribed-parameter', undefined, message, fix);
    const added = { name, in: 'path', required: true, schema: { type: 'string' } };
    operation.set('parameters', [...listOf(operation.object['parameters']), added]);
  }
}

function follow({ repair, pointer }: Cursor, value: JsonValue): JsonObject | undefined {
  const target = followReference(repair.document, { pointer, value }).value;
  return isJsonObject(target) ? target : undefined;
}

/** Removes references to security schemes that the document does not define. */
function repairSecurity(holder: Cursor, schemes: JsonObject): void {
  const list = holder.list('security');
  if (list === undefined || list.object.length === 0) return;
  list.filter((requirement, index) => {
    const missing = Object.keys(Object(requirement)).filter(
      (name) => !Object.hasOwn(schemes, name),
    );
    for (const name of missing)
      list
        .inside({}, index)
        .report(
          'unknown-security-scheme',
          name,
          `there is no security scheme ${name}`,
          'Describe it in components.securitySchemes; until then this requirement is ignored.',
        );
    return missing.length === 0;
  });
  if (list.object.length === 0 && holder.pointer === '#') holder.remove('security');
}
