import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';

/** The id of an item. Beyond 2^53 a `bigint`, so that a map finds it by value. */
export type ItemId = number | bigint | string;

/** Narrows a value to a possible id. */
export function isItemId(value: JsonValue | undefined): value is ItemId {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
}

/** Facts about an item besides its members. */
export interface ItemFacts {
  /**
   * Members that the service sets, by plain name: ids of parents, and values that creations have
   * shown.
   */
  readonly made: JsonObject;
  /** Members that a patch removed, or that a client could have sent and did not. */
  readonly absent: ReadonlySet<string>;
  /** Other ids by which clients may request it, such as a slug. */
  readonly aliases: readonly string[];
  /**
   * When it was created and last changed, in milliseconds since 1970; undefined for initial items.
   */
  readonly createdAt: number | undefined;
  readonly changedAt: number | undefined;
}

/** An item in its storage form. Its text is rendered once, when it is stored. */
export interface Item {
  readonly id: ItemId;
  readonly sortKey: JsonValue;
  /** JSON text of its members: sent by clients, or from examples of the document. */
  readonly text: string;
  /** Undefined if every response shows its members unchanged. */
  readonly facts: ItemFacts | undefined;
}

/** An item to read or change. */
export interface OpenItem extends ItemFacts {
  /** Its id in paths, as text. */
  readonly key: string;
  readonly members: JsonObject;
}

const noFacts: ItemFacts = {
  made: {},
  absent: new Set(),
  aliases: [],
  createdAt: undefined,
  changedAt: undefined,
};

/** An item for which no client has sent anything. */
export function plainItem(key: string, members: JsonObject = {}): OpenItem {
  return { ...noFacts, key, members };
}

export function openItem({ id, text, facts = noFacts }: Item): OpenItem {
  return { ...facts, key: `${id}`, members: readMembers(text) };
}

export function readMembers(text: string): JsonObject {
  const members = parseJson(text);
  return isJsonObject(members) ? members : {};
}

/** Estimated bytes of an entry besides its texts: its object, and its places in maps and lists. */
export const entryBytes = 200;

/** Estimated bytes of one more reference to an item that is stored elsewhere. */
export const placeBytes = 80;

/** Estimated bytes of an item that is not shared. */
export function itemBytes({ text, facts }: Item): number {
  const bytes = entryBytes + textBytes(text);
  if (facts === undefined) return bytes;
  const aliases = facts.aliases.reduce((sum, one) => sum + placeBytes + textBytes(one), 0);
  // Responses cache their own form of it.
  return bytes + aliases + 4 * (textBytes(text) + textBytes(renderJson(facts.made)));
}

/** Bytes of a text in memory: two per character unless all are Latin-1. */
export function textBytes(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}
