import { type CompileContext, type Described, Description, schemaOf } from './compile-context.ts';
import { isFieldValue } from './header.ts';
import type { DocumentNode } from '../source/node.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

export interface MediaType extends Described {
  /** As written in the document: `application/json; version=1`. */
  readonly name: string;
  /** Lower case, without parameters: `application/json`. */
  readonly mediaType: string;
  /** Schema of each item of a stream, such as server-sent events or JSON lines (OpenAPI 3.2). */
  readonly itemSchema: SchemaNode | undefined;
  /** Form members written as `name[member]` (Encoding Object, style deepObject). */
  readonly deepMembers: readonly string[];
}

/** The `content` of a request body or a response, in the document's order. */
export function compileContent(
  context: CompileContext,
  holder: DocumentNode,
): readonly MediaType[] {
  const content: MediaType[] = [];
  for (const [written, node] of holder.get('content')?.entries() ?? []) {
    const name = written.trim();
    const message = 'is not a media type: no header field can carry its name';
    if (isFieldValue(name)) {
      const itemSchema = schemaOf(context, node, 'itemSchema');
      const mediaType = essence(name);
      const deepMembers = (node.get('encoding')?.entries() ?? []).flatMap(([member, encoding]) =>
        encoding.text('style') === 'deepObject' ? [member] : [],
      );
      const own = { name, mediaType, itemSchema, deepMembers };
      const isOther = !isJsonMediaType(mediaType) && !isForm(mediaType) && !mediaType.includes('*');
      const other = isOther ? mediaType : undefined;
      content.push(Object.assign(new Description(context, node, node.pointer, other), own));
    } else context.issues.report('invalid-name', node.pointer, message);
  }
  return content;
}

/**
 * The content for a `Content-Type`: of those with its type, the one with the same parameters, else the
 * first; else a range such as `text/*` (RFC 9110 section 8.3.1).
 */
export function findContent(
  content: readonly MediaType[],
  contentType: string,
): MediaType | undefined {
  const type = essence(contentType);
  const alike = content.filter(({ mediaType }) => mediaType === type);
  if (alike.length < 2) {
    const ranges = [`${type.split('/', 1)[0]}/*`, '*/*'];
    return alike[0] ?? content.find(({ mediaType }) => ranges.includes(mediaType));
  }
  const sent = new Set(parametersOf(contentType));
  const named = alike.map((one) => ({ one, parameters: parametersOf(one.name) }));
  const exact = named
    .filter(({ parameters }) => parameters.every((parameter) => sent.has(parameter)))
    .toSorted((one, other) => other.parameters.length - one.parameters.length);
  return exact[0]?.one ?? alike[0];
}

/** `type=two` of `application/json; type="two"`; names are case-insensitive. */
export function parametersOf(contentType: string): readonly string[] {
  const found = contentType.matchAll(/;\s*([^\s;=]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g);
  return [...found].map(
    ([, name = '', quoted, token = '']) => `${name.toLowerCase()}=${quoted ?? token}`,
  );
}

/** Type and subtype of a media type, lower case, without parameters (RFC 9110 section 8.3.1). */
export function essence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end < 0 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** Whether a range such as `*\/*` or `application/*` includes a type (RFC 9110 section 12.5.1). */
export function coversType(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}

/** `application/json`, another with that subtype, or one with the suffix `+json` (RFC 6839 section 3.1). */
export function isJsonMediaType(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

/** JSON values on a line each. */
export function isJsonLines(mediaType: string): boolean {
  return /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/.test(mediaType);
}

/** The JSON content, preferably with a schema; else a wildcard, which includes JSON. */
export function jsonContent(content: readonly MediaType[]): MediaType | undefined {
  const json = content.filter(({ mediaType }) => isJsonMediaType(mediaType));
  const any = content.filter(({ mediaType }) => /^(\*|application)\/\*$/.test(mediaType));
  return [...json, ...any].find(({ schema }) => schema !== undefined) ?? json[0] ?? any[0];
}

/** Whether a content has neither an example nor a schema that restricts values: `schema: {}`. */
export function isUndescribed({ schema, itemSchema, examples }: MediaType): boolean {
  if (examples.length > 0 || itemSchema !== undefined) return false;
  if (schema === undefined) return true;
  const { properties, items, alternatives, format } = schema.shape();
  if (properties.size > 0 || alternatives.length > 0) return false;
  if (items !== undefined || format !== undefined) return false;
  return [{}, [], 0].every((value) => schema.isValid(value));
}

/** Whether a media type has named fields: `application/x-www-form-urlencoded` or multipart. */
export function isForm(mediaType: string): boolean {
  return mediaType === 'application/x-www-form-urlencoded' || mediaType.startsWith('multipart/');
}

interface BodyHolder {
  readonly requestBody?: { readonly content: readonly MediaType[] } | undefined;
}

/** Whether requests are merge patches, in which null removes a member (RFC 7396). */
export function isMergePatch({ requestBody }: BodyHolder): boolean {
  return requestBody?.content[0]?.mediaType === 'application/merge-patch+json';
}

/** The request content that carries members: JSON, else a form with a schema. */
export function memberContent({ requestBody }: BodyHolder): MediaType | undefined {
  const content = requestBody?.content ?? [];
  const json = jsonContent(content);
  return json ?? content.find(({ mediaType, schema }) => schema !== undefined && isForm(mediaType));
}
