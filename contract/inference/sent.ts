import type { Operation } from '../openapi/operation.ts';
import type { InferredResource } from './inferred-resource.ts';
import { membersOf } from './member.ts';
import { plainName, singularNames } from './names.ts';
import { jsonContent } from './view.ts';

const wrappers = new Set(['data', 'item', 'object', 'payload', 'resource', 'body', 'attributes']);

/** Where the item stands in what a client sends: in the whole body, or in one member of it. */
export function findSentPlace(operation: Operation, resource: InferredResource): readonly string[] {
  const content = operation.requestBody?.content ?? [];
  const schema = jsonContent(content)?.schema ?? content.find((one) => one.schema)?.schema;
  if (schema === undefined) return [];
  const members = membersOf(schema);
  const singulars = singularNames(resource.path);
  const place = resource.success(operation).view?.place[0];
  const wrapper = [...members.keys()].find((name) => {
    const plain = plainName(name);
    const isWrapper = singulars.includes(plain) || wrappers.has(plain) || name === place;
    return isWrapper && members.size <= 3 && isObject(members.get(name));
  });
  return wrapper === undefined ? [] : [wrapper];
}

function isObject(member: ReturnType<ReturnType<typeof membersOf>['get']>): boolean {
  return member !== undefined && membersOf(member).size > 0;
}
