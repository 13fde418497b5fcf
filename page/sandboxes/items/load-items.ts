import type { Session } from '../../session/session.ts';
import { ControlError } from '../../../mock/control/client.ts';
import { keepNumber } from './exact-json.ts';
import type { Item } from './members.ts';

export interface ExactItem {
  readonly id: string;
  readonly item: Item;
}

export interface ItemPage {
  readonly total: number;
  readonly items: readonly ExactItem[];
}

export interface ItemQuery {
  readonly collection: string;
  readonly text: string;
  readonly offset: number;
  readonly limit: number;
}

/** `listItems`, with every number as the mock wrote it. */
export async function loadItems(session: Session, query: ItemQuery): Promise<ItemPage> {
  const { collection, text, offset, limit } = query;
  const parameters = new URLSearchParams({ collection, offset: `${offset}`, limit: `${limit}` });
  if (text !== '') parameters.set('text', text);
  return JSON.parse(await readText(session, `items?${parameters.toString()}`), keepNumber);
}

/** `readState` as the text that it is. */
export async function loadState(session: Session): Promise<string> {
  return await readText(session, 'state');
}

async function readText({ sandbox, headers }: Session, path: string): Promise<string> {
  const url = `/_mock/sandboxes/${encodeURIComponent(sandbox)}/${path}`;
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.ok) return text;
  const error: { readonly message?: string } = JSON.parse(text);
  throw new ControlError(response.status, error.message ?? text);
}
