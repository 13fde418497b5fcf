import type { Issue, SchemaNode } from '../../../contract/schema/schema-node.ts';
import {
  type JsonObject,
  type JsonValue,
  addMember,
  isJsonObject,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Inventory } from '../store/inventory.ts';
import type { ItemId } from '../store/item.ts';
import { layOver } from '../view/overlay.ts';
import { compileBodyRules } from './body-rules.ts';
import type { CertainForm } from './certain-form.ts';
import { plainValue } from './plain-value.ts';

/** Makes items of a resource out of what clients send. */
export interface ItemComposer {
  /** Issues of a body beyond its schema, by the choices about what the document leaves open. */
  judge(body: JsonObject, inventory: Inventory): readonly Issue[];
  /** The item: its id, then what was sent, then members that only the service sets. */
  compose(id: ItemId, sent: JsonObject, now: number): JsonObject;
  /**
   * An item that was composed of what the schema of the body allows, as far as the schema of the item
   * allows it too.
   */
  fit(item: JsonObject): JsonObject;
  /** Issues of an item that was composed. */
  validate(item: JsonObject): readonly Issue[];
}

/** Compiles it for what an operation takes: its first media type, else the schema of an item. */
export function compileItemComposer(
  form: CertainForm,
  { requestBody }: Operation,
  choices: Choices,
): ItemComposer {
  const { idProperty, item } = form.resource;
  const rules = compileBodyRules(form, requestBody?.content[0]?.schema ?? item, choices);
  const { properties, required } = item.shape();
  const isOpen = properties.size === 0;
  const known = [...properties.keys()].filter((name) => name !== idProperty);
  let sampled: JsonValue | undefined;
  const sample = (name: string): JsonValue => {
    sampled ??= sampleSchema(item, { direction: 'response' }).value;
    return (isJsonObject(sampled) ? sampled[name] : undefined) ?? null;
  };
  return {
    judge: rules.judge,
    validate: (composed) => item.validate(composed),
    fit(composed) {
      const base = sampleSchema(item, { direction: 'response' }).value;
      const layers = Object.entries(composed).map(([name, value]) => ({ name, value }));
      const fitted = layOver(base, [], layers, item);
      return isJsonObject(fitted) ? fitted : composed;
    },
    compose(id, sent, now) {
      const made: Record<string, JsonValue> = { [idProperty]: id };
      for (const name of known)
        addMember(made, name, Object.hasOwn(sent, name) ? sent[name] : undefined);
      if (rules.keepsUnknown || isOpen)
        for (const [name, value] of Object.entries(sent))
          if (!properties.has(name) && name !== idProperty) addMember(made, name, value);
      for (const [name, value] of rules.defaults)
        if (!Object.hasOwn(made, name)) addMember(made, name, value);
      for (const name of required) {
        const schema = Object.hasOwn(made, name) ? undefined : properties.get(name);
        if (schema !== undefined)
          addMember(
            made,
            name,
            unsentValue(schema, () => sample(name), now),
          );
      }
      return made;
    },
  };
}

/**
 * The value of a member that the client did not send: the plainest one, such as 0. Where that does not
 * fit or says nothing, as an empty text, it is that of a sample, with the time of now.
 */
function unsentValue(schema: SchemaNode, sample: () => JsonValue, now: number): JsonValue {
  const plain = plainValue(schema, now);
  if (plain !== '' && schema.validate(plain).length === 0) return plain;
  const value = sample();
  return typeof value === 'string' && isInstant(value) ? new Date(now).toISOString() : value;
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
}
