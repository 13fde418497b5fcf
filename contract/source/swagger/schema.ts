import { addAll } from '../../list/list.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { removeMember, setMember, takeMembers } from '../../json/edit.ts';
import { plainSchemaWords } from '../schema-words.ts';

const words = [...plainSchemaWords, 'x-nullable'];

/** Takes the words of a schema out of a parameter, header or form field. */
export function takeSchema(holder: JsonObject): JsonObject {
  const schema = takeMembers(holder, words);
  convertSchema(schema);
  return schema;
}

/** Words of version 2.0 in a schema and all that it holds. */
export function convertSchema(root: JsonValue | undefined): void {
  const pending: (JsonValue | undefined)[] = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isJsonObject(schema)) continue;
    convertWords(schema);
    for (const name of ['items', 'additionalProperties', 'not']) pending.push(schema[name]);
    for (const name of ['allOf', 'anyOf', 'oneOf', 'items']) {
      const branches = schema[name];
      if (isJsonArray(branches)) addAll(pending, branches);
    }
    const { properties } = schema;
    if (isJsonObject(properties)) addAll(pending, Object.values(properties));
  }
}

function convertWords(schema: JsonObject): void {
  const { discriminator, type, format = 'binary', 'x-nullable': nullable } = schema;
  if (typeof discriminator === 'string')
    setMember(schema, 'discriminator', { propertyName: discriminator });
  if (type === 'file') {
    setMember(schema, 'type', 'string');
    setMember(schema, 'format', format);
  }
  if (typeof nullable !== 'boolean') return;
  removeMember(schema, 'x-nullable');
  setMember(schema, 'nullable', nullable);
}
