import type { InferredResource } from '../../../contract/resource/resource.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { membersOf } from '../../../contract/resource/item-view.ts';
import { plainName } from '../../../contract/resource/names.ts';
import { valueAt, withoutMember } from '../../../contract/json/place.ts';

/** What clients send for an item in one operation. */
export class SentForm {
  /** Of an item as clients send it; undefined where the document does not describe it. */
  readonly schema: SchemaNode | undefined;
  readonly #place: readonly string[];
  /** Places of members that are `readOnly`: the server's to set (OpenAPI 3.1, Schema Object). */
  readonly #readOnly: readonly (readonly string[])[];
  /** Members that clients may send; empty where the document names none. */
  readonly #members: ReadonlySet<string>;
  /** Those without a default. */
  readonly #optional: readonly string[];

  constructor(resource: InferredResource, operation: Operation) {
    this.#place = resource.sentPlace(operation);
    let schema = operation.requestBody?.content.find((media) => media.schema !== undefined)?.schema;
    for (const name of this.#place) schema = schema?.shape().properties.get(name);
    this.schema = schema?.shape().items ?? schema;
    const all = this.schema === undefined ? [] : [...membersOf(this.schema)];
    const named = (isNamed: (schema: SchemaNode) => boolean): ReadonlySet<string> =>
      new Set(all.flatMap(([name, member]) => (isNamed(member) ? [name] : [])));
    this.#readOnly = all.flatMap(([name, member]) =>
      member.shape().readOnly
        ? [[name]]
        : [...membersOf(member)].flatMap(([inner, schema]) =>
            schema.shape().readOnly ? [[name, inner]] : [],
          ),
    );
    this.#members = named((member) => !member.shape().readOnly);
    this.#optional = all.flatMap(([name, member]) =>
      this.#members.has(name) && member.shape().default === undefined ? [name] : [],
    );
  }

  /** The items in a body: several where it is, or holds, an array of objects. */
  itemsIn(body: JsonValue | undefined): readonly JsonObject[] {
    const found = valueAt(body, this.#place);
    const items = isJsonArray(found) ? found.filter(isJsonObject) : [];
    if (items.length > 0) return items;
    return [isJsonObject(found) ? found : isJsonObject(body) ? body : {}];
  }

  /** An item without what clients must not set. */
  withoutReadOnly(item: JsonObject): JsonObject {
    return this.#readOnly.reduce(
      (rest, place) => (valueAt(rest, place) === undefined ? rest : withoutMember(rest, place)),
      item,
    );
  }

  /** Clients may send such a member, or the document does not say which they may. */
  accepts(name: string): boolean {
    return this.#members.size === 0 || this.#members.has(name);
  }

  /** The same for a name in another case or with other punctuation. */
  acceptsLike(name: string): boolean {
    const plain = plainName(name);
    return this.#members.size === 0 || [...this.#members].some((one) => plainName(one) === plain);
  }

  /** What a client may send for an item and did not: an item shows no such member, unless it has a default. */
  unsent(sent: JsonObject): ReadonlySet<string> {
    const names = this.#optional.filter((name) => !Object.hasOwn(sent, name));
    return names.length === 0 ? none : new Set(names);
  }

  /** The members of an item that another one, which is sent in its place, does not replace. */
  keptOf(item: JsonObject): JsonObject {
    return this.#members.size === 0 ? {} : selectMembers(item, (name) => !this.#members.has(name));
  }
}

const none: ReadonlySet<string> = Object.freeze(new Set<string>());

function selectMembers(item: JsonObject, isSelected: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name]) => isSelected(name)));
}
