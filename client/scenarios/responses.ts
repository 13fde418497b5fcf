import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../contract/json/value.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import type { ScenarioMaker } from './scenario.ts';

/** Answers that a client has to be able to read. */
export const responseScenarios: readonly ScenarioMaker[] = [
  () => ({
    id: 'unknown-fields',
    sentence: 'Every object in every response has additional fields, which the document allows.',
    alter: addFields,
  }),
  // Another value than those listed breaks the contract; yet services grow.
  ({ resources }) => {
    const [found] = resources.flatMap(({ item, list }) =>
      enumeratedMembers(item).map((name) => ({ name, list })),
    );
    return (
      found && {
        id: 'unknown-value',
        sentence: `Every ${found.name} in a response is one that the document does not list. This breaks the contract.`,
        needs: { operation: found.list.id, requests: 1 },
        alter: (body) => replaceMember(body, found.name, 'reserved-by-somebody'),
        mustSucceed: false,
        breaksContract: true,
      }
    );
  },
];

/** Of each kind of value one, so that a client that maps fields one by one meets them all. */
const fields: JsonObject = { 'x-added': 'a text', 'x-nested': { added: [1, null, true] } };

function addFields(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(addFields);
  return isJsonObject(value) ? { ...value, ...fields } : value;
}

function enumeratedMembers(item: SchemaNode): readonly string[] {
  return [...item.shape().properties].flatMap(([name, schema]) =>
    schema.shape().values?.every((value) => typeof value === 'string') ? [name] : [],
  );
}

function replaceMember(value: JsonValue, name: string, text: string): JsonValue {
  if (isJsonArray(value)) return value.map((each) => replaceMember(each, name, text));
  return isJsonObject(value) && typeof value[name] === 'string'
    ? { ...value, [name]: text }
    : value;
}
