import type { Collection } from '../../session/types.ts';
import { isNumber } from './exact-json.ts';

export type Member = Collection['members'][number];
export type Item = Readonly<Record<string, unknown>>;

/** So many members are columns; the others are in the open row. */
const most = 6;

/** Members that are columns: the identifier, then plain ones before others, as the document has them. */
export function columnsOf(
  { id, members }: Pick<Collection, 'id' | 'members'>,
  items: readonly Item[],
): readonly string[] {
  const names = members.map(({ name }) => name);
  const known = new Set(names);
  const others = items.flatMap((item) => Object.keys(item)).filter((name) => !known.has(name));
  const plain = members.filter(isPlain).map(({ name }) => name);
  const order = [...(id === undefined ? [] : [id]), ...plain, ...names, ...others];
  const chosen = new Set([...new Set(order)].slice(0, most));
  const inOrder = [...new Set([...names, ...others])].filter((name) => chosen.has(name));
  return id === undefined ? inOrder : [id, ...inOrder.filter((name) => name !== id)];
}

/** True for a member with a field of its own: its value is one of a list, a text, a number or a boolean. */
export function isPlain({ type, enum: values }: Member): boolean {
  if (values !== undefined) return values.length > 0;
  return type !== undefined && ['string', 'number', 'integer', 'boolean'].includes(type);
}

/** A value in a cell of a table, in short. */
export function renderCell(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : renderValue(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const longest = 80;

/** A value as JSON. */
export function renderValue(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** True where the field of a member can show a value, and give it back as it was. */
export function fitsField(member: Member, value: unknown): boolean {
  if (!isPlain(member)) return false;
  if (value === undefined) return true;
  if (member.enum !== undefined) return member.enum.map(renderValue).includes(renderValue(value));
  if (member.type === 'string') return typeof value === 'string' && !/[\n\r]/.test(value);
  return member.type === 'boolean' ? typeof value === 'boolean' : isNumber(value);
}
