import type { SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import { decodeQuery, queryPairs } from '../../http/query.ts';
import { decodeText, readParts } from './multipart.ts';
import { readBrackets, type SourceMembers, type TextSource } from './text-source.ts';
import { readTextValue, type TextValue } from './text-value.ts';

export type FormPair = readonly [name: string, text: string];

/** The pairs of `application/x-www-form-urlencoded` (URL standard). */
export function readUrlEncoded(bytes: Uint8Array): readonly FormPair[] {
  return queryPairs(decodeText(bytes).trim()).map(({ name, raw }) => [name, decodeQuery(raw)]);
}

/** The pairs of `multipart/form-data`, files as texts; undefined for a malformed body. */
export function readMultipart(
  contentType: string,
  bytes: Uint8Array,
): readonly FormPair[] | undefined {
  return readParts(contentType, bytes)?.map((part) => [part.name, decodeText(part.bytes)]);
}

/** What pairs say by a schema; without one, texts by name. */
export function readForm(pairs: readonly FormPair[], schema: SchemaNode | undefined): TextValue {
  const source: TextSource = {
    text: undefined,
    lists: () => [],
    objects: (shape) => [membersBy(pairs, shape)],
  };
  const plain = Object.fromEntries(pairs);
  if (schema === undefined) return { value: plain, issues: [] };
  return readTextValue(source, schema) ?? { value: plain, issues: schema.validate(plain) };
}

/** A name with brackets that the schema has as it is, such as `ids[]`, is a name like others. */
function membersBy(pairs: readonly FormPair[], { properties }: Shape): SourceMembers {
  const whole = [...properties.keys()].filter((name) => name.includes('['));
  if (whole.length === 0) return readBrackets(pairs);
  const escaped = readBrackets(
    pairs.map(([name, text]) => [
      whole.includes(name) ? `${mark}${whole.indexOf(name)}` : name,
      text,
    ]),
  );
  return new Map(
    [...escaped].map(([name, member]) => [
      name.startsWith(mark) ? (whole[Number(name.slice(mark.length))] ?? name) : name,
      member,
    ]),
  );
}

/** Starts a placeholder name while brackets are read; no form has it. */
const mark = '\u0000';

/** A text by a schema, such as `text/plain`; undefined where it has no such reading. */
export function readPlain(text: string, schema: SchemaNode): TextValue | undefined {
  const source: TextSource = { text, lists: () => [], objects: () => [] };
  return readTextValue(source, schema);
}
