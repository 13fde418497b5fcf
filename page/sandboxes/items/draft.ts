import { keepNumber, parseNumber } from './exact-json.ts';
import { type Item, type Member, fitsField, renderValue } from './members.ts';

/** An item while it is edited: texts of fields, and the other members as JSON. */
export interface Draft {
  readonly fields: readonly Member[];
  readonly texts: Readonly<Record<string, string>>;
  readonly rest: string;
  /** Texts that were empty to begin with, and are no missing members. */
  readonly empty: ReadonlySet<string>;
}

/** What was drafted, or why it is no item. */
export type Composed = { readonly item: Item } | { readonly message: string };

export function openDraft(item: Item, members: readonly Member[]): Draft {
  const fields = members.filter((member) => fitsField(member, item[member.name]));
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(item).filter(([name]) => !names.has(name));
  return {
    fields,
    texts: Object.fromEntries(fields.map((member) => [member.name, showField(member, item)])),
    rest: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), undefined, 2),
    empty: new Set([...names].filter((name) => item[name] === '')),
  };
}

/** An empty field is left out; a text where a number belongs is sent as it is, for the mock to judge. */
export function composeDraft({ fields, texts, rest, empty }: Draft): Composed {
  const others = parseItem(rest === '' ? '{}' : rest);
  if ('message' in others) return { message: `The other members: ${others.message}` };
  const entries = fields.flatMap((member): [string, unknown][] => {
    const text = texts[member.name] ?? '';
    return text === '' && !empty.has(member.name) ? [] : [[member.name, readField(member, text)]];
  });
  return { item: { ...Object.fromEntries(entries), ...others.item } };
}

/** An item from its JSON. */
export function parseItem(text: string): Composed {
  try {
    const value: unknown = JSON.parse(text, keepNumber);
    return isObject(value) ? { item: value } : { message: 'This is no JSON object.' };
  } catch (error) {
    return { message: `This is no JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function showField({ name, enum: values }: Member, item: Item): string {
  const value = item[name];
  if (value === undefined) return '';
  return values === undefined && typeof value === 'string' ? value : renderValue(value);
}

function readField({ type, enum: values }: Member, text: string): unknown {
  if (values !== undefined) return JSON.parse(text, keepNumber);
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true';
  return parseNumber(text.trim()) ?? text;
}
