import { isRecord, type JsonRecord, recordOf } from '../document/json.ts';
import { dereference } from '../document/place.ts';

const mostNodes = 8000;
const deepestReference = 6;
const annotations = new Set(['example', 'examples', 'xml', 'externalDocs', 'discriminator']);

/**
 * A schema with its references put in, for generators that do not follow them; what lies deeper
 * than a few of them takes anything. Throws where it becomes too large, or asks for thousands.
 */
export function inlineSchema(root: JsonRecord, schema: JsonRecord): JsonRecord {
  let nodes = 0;
  const inline = (node: unknown, depth: number): unknown => {
    nodes += 1;
    if (nodes > mostNodes) throw new Error('The schema is too large to be put into one.');
    if (Array.isArray(node)) return node.map((one) => inline(one, depth));
    if (!isRecord(node)) return node;
    if (typeof node['$ref'] === 'string')
      return depth > deepestReference ? {} : inline(dereference(root, node) ?? {}, depth + 1);
    const { minItems, minLength } = node;
    if (Math.max(Number(minItems ?? 0), Number(minLength ?? 0)) > 1000)
      throw new Error('The schema asks for more than is sent here.');
    const members = Object.entries(node).filter(([name]) => !annotations.has(name));
    return Object.fromEntries(members.map(([name, value]) => [name, inline(value, depth)]));
  };
  return recordOf(inline(schema, 0));
}
