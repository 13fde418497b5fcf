import type { Operation } from '../openapi/operation.ts';
import type { InferredResource } from './inferred-resource.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { itemsOf, membersOf } from './member.ts';
import { lastWord, plainName, singularNames } from './names.ts';
import { jsonContent } from './view.ts';

const wrappers = new Set(['data', 'item', 'object', 'payload', 'resource', 'body', 'attributes']);

/** Where the item stands in what a client sends: in the whole body, or in one member of it. */
export function findSentPlace(operation: Operation, resource: InferredResource): readonly string[] {
  const content = operation.requestBody?.content ?? [];
  const schema = jsonContent(content)?.schema ?? content.find((one) => one.schema)?.schema;
  if (schema === undefined) return [];
  const members = membersOf(schema);
  const names = new Set([...singularNames(resource.path), plainName(lastWord(resource.path))]);
  const place = resource.success(operation).view?.place[0];
  const wrapper = [...members.keys()].find((name) => {
    const plain = plainName(name);
    const isWrapper = names.has(plain) || wrappers.has(plain) || name === place;
    return isWrapper && members.size <= 3 && holdsItems(members.get(name));
  });
  return wrapper === undefined ? [] : [wrapper];
}

function holdsItems(member: SchemaNode | undefined): boolean {
  if (member === undefined) return false;
  return membersOf(itemsOf(member) ?? member).size > 0;
}
