import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../contract/index.ts';
import { isDigest } from '../envelope/digest.ts';

/**
 * What was read is not what it should be; the message says what, `where` the place. Never leaves
 * this folder.
 */
export class ShapeFault extends Error {
  override readonly name = 'ShapeFault';
  readonly where: string;
  constructor(where: string, message: string) {
    super(message);
    this.where = where;
  }
}

/**
 * Reads the members of an untrusted object one by one. Every method throws `ShapeFault` for a
 * member that is not as wanted.
 */
export class MemberReader {
  readonly #object: JsonObject;
  readonly #where: string;

  /** @param names all members that the object may have */
  constructor(value: JsonValue | undefined, where: string, names: readonly string[]) {
    if (!isJsonObject(value)) throw new ShapeFault(where, 'it is no object');
    const unknown = Object.keys(value).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new ShapeFault(where, `it has a member ${JSON.stringify(unknown)}, which is not known`);
    this.#object = value;
    this.#where = where;
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : this.#refuse(name, 'is no text');
  }

  textOrNull(name: string): string | null {
    return this.value(name) === null ? null : this.text(name);
  }

  digest(name: string): string {
    const text = this.text(name);
    return isDigest(text) ? text : this.#refuse(name, 'is no SHA-256 in hexadecimal');
  }

  /** An instant as RFC 3339 has it in UTC, with or without milliseconds. */
  instant(name: string): string {
    const text = this.text(name);
    const isInstant =
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text) && !Number.isNaN(Date.parse(text));
    return isInstant ? text : this.#refuse(name, 'is no instant such as 2026-12-31T23:59:59Z');
  }

  /** A whole number from 0. */
  count(name: string): number {
    const value = this.value(name);
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? value
      : this.#refuse(name, 'is no whole number from 0 on');
  }

  /** A number from 0, fractions included. */
  quantity(name: string): number {
    const value = this.value(name);
    return typeof value === 'number' && value >= 0
      ? value
      : this.#refuse(name, 'is no number from 0 on');
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    const value = this.value(name);
    return (
      words.find((word) => word === value) ?? this.#refuse(name, `is none of ${words.join(', ')}`)
    );
  }

  list<Item>(name: string, read: (item: JsonValue, where: string) => Item): readonly Item[] {
    const value = this.value(name);
    if (!isJsonArray(value)) return this.#refuse(name, 'is no array');
    return value.map((item, index) => read(item, `${this.#path(name)}[${index}]`));
  }

  object(name: string): JsonObject {
    const value = this.value(name);
    return isJsonObject(value) ? value : this.#refuse(name, 'is no object');
  }

  /** A member that is an object with these members. */
  inner(name: string, names: readonly string[]): MemberReader {
    return new MemberReader(this.value(name), this.#path(name), names);
  }

  value(name: string): JsonValue {
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    return value === undefined ? this.#refuse(name, 'is missing') : value;
  }

  #path(name: string): string {
    return this.#where === '' ? name : `${this.#where}.${name}`;
  }

  #refuse(name: string, what: string): never {
    throw new ShapeFault(this.#path(name), `it ${what}`);
  }
}
