import type {
  Contract,
  Issue,
  JsonObject,
  JsonValue,
  Resource,
  SchemaNode,
} from '../../contract/index.ts';
import type { Choices } from '../choice/choices.ts';
import type { Inventory } from './inventory.ts';
import type { ItemId } from './item-id.ts';
import { compileItemRules } from './item-rules.ts';
import { plainValue } from './plain-value.ts';
import type { StoredForm } from './stored-form.ts';

/** Makes items of a resource out of what clients send. */
export interface ItemComposer {
  /** Issues of a body beyond its schema, by the choices about what the document leaves open. */
  judge(body: JsonObject, inventory: Inventory): readonly Issue[];
  /** The item: its id, then what was sent, then members that only the service sets. */
  compose(id: ItemId, sent: JsonObject, now: number): JsonObject;
  /** Issues of an item that was composed. */
  validate(item: JsonObject): readonly Issue[];
}

/** Compiles the composer for bodies of a schema. */
export function compileItemComposer(
  contract: Contract,
  resource: Resource,
  form: StoredForm,
  body: SchemaNode,
  choices: Choices,
): ItemComposer {
  const { idProperty, item } = resource;
  const rules = compileItemRules(contract, resource, form, body, choices);
  const { properties, required } = item.shape();
  const isOpen = properties.size === 0;
  const known = [...properties.keys()].filter((name) => name !== idProperty);
  return {
    judge: rules.judge,
    validate: item.validate,
    compose(id, sent, now) {
      const members: [string, JsonValue][] = [[idProperty, id]];
      for (const name of known)
        addMember(members, name, Object.hasOwn(sent, name) ? sent[name] : undefined);
      if (rules.keepsUnknown || isOpen)
        for (const [name, value] of unknownMembers(sent, properties, idProperty))
          addMember(members, name, value);
      for (const [name, value] of rules.defaults)
        if (!hasMember(members, name)) addMember(members, name, value);
      for (const name of required)
        if (!hasMember(members, name)) addMember(members, name, plainMember(properties, name, now));
      return Object.fromEntries(members);
    },
  };
}

function addMember(
  members: [string, JsonValue][],
  name: string,
  value: JsonValue | undefined,
): void {
  if (value !== undefined) members.push([name, value]);
}

function hasMember(members: readonly [string, JsonValue][], name: string): boolean {
  return members.some(([one]) => one === name);
}

function plainMember(
  properties: ReadonlyMap<string, SchemaNode>,
  name: string,
  now: number,
): JsonValue | undefined {
  const schema = properties.get(name);
  return schema === undefined ? undefined : plainValue(schema, now);
}

function unknownMembers(
  sent: JsonObject,
  properties: ReadonlyMap<string, SchemaNode>,
  idProperty: string,
): (readonly [string, JsonValue | undefined])[] {
  return Object.entries(sent).filter(([name]) => !properties.has(name) && name !== idProperty);
}
