import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';

/** What names an item. Beyond 2^53 a `bigint`, so that a map finds it by value. */
export type ItemId = number | bigint | string;

/** Narrows a value to one that can name an item. */
export function isItemId(value: JsonValue | undefined): value is ItemId {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
}

/** What is known of an item besides its members. */
export interface ItemFacts {
  /** Members that the service makes, by their names without case and punctuation: ids of parents, what creations show. */
  readonly made: JsonObject;
  /** Members that a patch removed, or that a client could have sent and did not. */
  readonly absent: ReadonlySet<string>;
  /** Other names that clients may take for its id, such as a slug. */
  readonly aliases: readonly string[];
  /** When it was created and last changed, milliseconds since 1970; undefined for what was always there. */
  readonly createdAt: number | undefined;
  readonly changedAt: number | undefined;
}

/** An item as it is kept: its text is rendered once, when it is stored. */
export interface Item {
  readonly id: ItemId;
  readonly sortKey: JsonValue;
  /** Values of the indexed properties: those that the list filters by, and others. */
  readonly indexedValues: readonly JsonValue[];
  /** JSON text of its members: what clients sent, and what examples of the document show. */
  readonly text: string;
  /** Undefined where each response shows its members as they are. */
  readonly facts: ItemFacts | undefined;
}

/** An item to look into, or to change. */
export interface OpenItem extends ItemFacts {
  /** What names it in paths, as a text. */
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

/** An item that nobody sent anything for. */
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

/** What an entry costs in memory besides its texts: its object, and its places in maps and lists. */
export const entryBytes = 200;

/** What one more place for an item that is kept elsewhere costs. */
export const placeBytes = 80;

/** What an item costs in memory where nobody shares it. */
export function itemBytes({ text, facts }: Item): number {
  const bytes = entryBytes + textBytes(text);
  if (facts === undefined) return bytes;
  const aliases = facts.aliases.reduce((sum, one) => sum + placeBytes + textBytes(one), 0);
  // Responses keep what they show of it beside it.
  return bytes + aliases + 4 * (textBytes(text) + textBytes(renderJson(facts.made)));
}

/** The bytes of a text in memory: two a character where one does not hold them all. */
export function textBytes(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}
