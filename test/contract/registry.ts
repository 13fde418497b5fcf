import type { JsonObject } from '../../contract/json/value.ts';
import { SchemaRegistry } from '../../contract/schema/schema-node.ts';

/** For tests: the schemas of a document. One that cannot judge a value throws. */
export function soundRegistry(document: JsonObject, source = 'pets.yaml'): SchemaRegistry {
  return new SchemaRegistry(document, source, (pointer, reason) => {
    throw new Error(`${pointer}: ${reason}`);
  });
}
