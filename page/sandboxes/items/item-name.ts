import type { Item } from './members.ts';

/** An item for people: `Fido (31)`, or its identifier alone where it has no name. */
export function nameItem(id: string, item: Item): string {
  const name = item['name'] ?? item['title'];
  return typeof name === 'string' && name.trim() !== '' ? `${name.slice(0, 40)} (${id})` : id;
}
