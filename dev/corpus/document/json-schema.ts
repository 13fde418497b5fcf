import { isRecord, type JsonRecord, recordOf } from './json.ts';
import { dereference } from './place.ts';
import type { PublicDocument } from './read.ts';
import { isSoundKeyword } from './sound-keyword.ts';

/** A request lacks what is `readOnly`, a response what is `writeOnly`, though they are required. */
export type Direction = 'request' | 'response';

/** Members whose values are named by the document's author: they are no keywords. */
const maps = new Set(
  `properties patternProperties $defs definitions dependentSchemas schemas paths responses
   parameters requestBodies headers content callbacks webhooks`.split(/\s+/),
);
/** Members that hold data and no schemas. */
const data = new Set(['default', 'enum', 'const', 'required']);
/** Keywords that mean nothing to JSON Schema 2020-12, or would lead its references astray. */
const dropped = new Set(
  `example examples discriminator xml externalDocs nullable $schema $id id`.split(' '),
);

/** The whole document with its schemas as JSON Schema 2020-12, at the same pointers. */
export function toJsonSchema({ root, dialect }: PublicDocument, direction: Direction): JsonRecord {
  const absent = direction === 'request' ? 'readOnly' : 'writeOnly';
  const convertMap = (map: JsonRecord): JsonRecord =>
    Object.fromEntries(Object.entries(map).map(([name, node]) => [name, convert(node)]));
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (!isRecord(node)) return node;
    const isReference = dialect === '3.0' && typeof node['$ref'] === 'string';
    const kept = Object.entries(node).filter(([name]) =>
      isReference ? name === '$ref' : !dropped.has(name),
    );
    const members = kept.map(([name, value]): readonly [string, unknown] => {
      if (data.has(name)) return [name, value];
      return [name, maps.has(name) && isRecord(value) ? convertMap(value) : convert(value)];
    });
    const converted = {
      ...Object.fromEntries(members),
      ...(isReference ? {} : changedMembers(root, node, absent)),
    };
    return Object.fromEntries(
      Object.entries(converted).filter(
        ([name, value]) => value !== undefined && isSoundKeyword(root, name, value),
      ),
    );
  };
  return recordOf(convert(root));
}

function changedMembers(root: JsonRecord, node: JsonRecord, absent: string): JsonRecord {
  return {
    ...nullableMembers(node),
    ...exclusiveMembers(node),
    ...(node['type'] === 'file' ? { type: 'string' } : {}),
    required: requiredMember(root, node, absent),
  };
}

function nullableMembers(node: JsonRecord): JsonRecord {
  if (node['nullable'] !== true) return {};
  const { type, enum: values } = node;
  return {
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {}),
  };
}

/** Bounds of OpenAPI 3.0, whose exclusiveness is a boolean. */
function exclusiveMembers(node: JsonRecord): JsonRecord {
  const changes: Record<string, unknown> = {};
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof node[exclusive] !== 'boolean') continue;
    changes[exclusive] = node[exclusive] ? node[bound] : undefined;
  }
  return changes;
}

function requiredMember(root: JsonRecord, node: JsonRecord, absent: string): unknown {
  const { required } = node;
  if (!Array.isArray(required)) return undefined;
  const properties = recordOf(node['properties']);
  return required.filter(
    (name) => recordOf(dereference(root, properties[String(name)]))[absent] !== true,
  );
}
