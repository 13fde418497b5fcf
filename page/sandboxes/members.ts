import type { Collection, StoredItem } from '../../mock/control/client.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import type { Field } from '../form/field.ts';

export type Member = Collection['members'][number];
export type Item = StoredItem['item'];

/** Most columns; further members are in the expanded row. */
const most = 6;

/**
 * Members shown as columns: the identifier, then scalar members before others, in the document's
 * order.
 */
export function columnsOf(
  { id, members }: Pick<Collection, 'id' | 'members'>,
  items: readonly Item[],
): readonly string[] {
  const names = members.map(({ name }) => name);
  const known = new Set(names);
  const others = items.flatMap((item) => Object.keys(item)).filter((name) => !known.has(name));
  const plain = members.filter((one) => kindOf(one) !== undefined).map(({ name }) => name);
  const order = [...(id === undefined ? [] : [id]), ...plain, ...names, ...others];
  const chosen = new Set([...new Set(order)].slice(0, most));
  const inOrder = [...new Set([...names, ...others])].filter((name) => chosen.has(name));
  return id === undefined ? inOrder : [id, ...inOrder.filter((name) => name !== id)];
}

/** A field for each member whose value fits one. `isNew`: the mock assigns the identifier. */
export function fieldsOf({ id, members }: Collection, isNew: boolean): readonly Field[] {
  const fields: Field[] = [];
  for (const member of members) {
    const kind = kindOf(member);
    const { name, type, format, required, readOnly, enum: values, description } = member;
    if (kind === undefined) continue;
    const absence = isNew && name === id ? 'assigned if empty' : required && 'required';
    const facts = [format ?? type, readOnly ? 'set by the service' : absence].filter(Boolean);
    const options = values ?? (type === 'boolean' ? [true, false] : undefined);
    const labels = options?.map((value) => [JSON.stringify(value), renderCell(value)] as const);
    fields.push({
      name: renderPointer([name]),
      label: name,
      kind,
      hint: [facts.join(', '), description].filter(Boolean).join('. '),
      ...(labels !== undefined && { options: [['', 'Not set'], ...labels] }),
    });
  }
  return fields;
}

function kindOf({ type, enum: values }: Member): 'value' | 'text' | 'number' | undefined {
  if (values !== undefined) return values.length > 0 ? 'value' : undefined;
  if (type === 'boolean') return 'value';
  if (type === 'string') return 'text';
  return type === 'number' || type === 'integer' ? 'number' : undefined;
}

/** An item for people: `Fido (31)`, or only its identifier if it has no name. */
export function nameItem(id: string, item: Item): string {
  const name = item['name'] ?? item['title'];
  return typeof name === 'string' && name.trim() !== '' ? `${name.slice(0, 40)} (${id})` : id;
}

/** A short form of a value for a table cell. */
export function renderCell(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const longest = 80;
