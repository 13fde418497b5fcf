import type { Session } from './session.ts';

export type Pet = Readonly<Record<string, unknown>>;

/** Lists, adds a pet of the category of the first, and looks for it in the list. */
export async function listAddList(session: Session): Promise<void> {
  const pets = await list(session, 'limit=100');
  const name = newName(session);
  await add(session, { name, categoryId: pets[0]?.['categoryId'] ?? 1, status: 'available' });
  await find(session, name);
}

export function newName({ random }: Pick<Session, 'random'>): string {
  return `Pet ${Math.floor(random() * 1e9)}`;
}

/** Throws where the list is not answered 200. */
export async function list(session: Session, query: string): Promise<readonly Pet[]> {
  const { status, text } = await session.call('GET', `/pets?${query}`);
  if (status !== 200) throw new Error(`The list was answered ${status}.`);
  return readPets(session.manner.parse(text));
}

export function readPets(value: unknown): readonly Pet[] {
  if (!Array.isArray(value)) throw new Error('The list is no array.');
  return value.filter(isPet);
}

function isPet(value: unknown): value is Pet {
  return typeof value === 'object' && value !== null;
}

/** Adds a pet; after a lost response looks for it in the list, since it may have been added. */
export async function add(session: Session, pet: Pet): Promise<void> {
  const body = session.manner.render(pet);
  const response = await session.call('POST', '/pets', body).catch(() => undefined);
  if (response === undefined) await find(session, String(pet['name']));
  else if (response.status !== 201) throw new Error(`It was answered ${response.status}.`);
}

/** Finds a pet by the list, which replaces the deprecated operation. Throws where it is missing. */
export async function find(session: Session, name: string): Promise<void> {
  const pets = await list(session, 'status=available&limit=100');
  if (pets.length < 100 && !pets.some((pet) => pet['name'] === name))
    throw new Error(`${name} is not in the list.`);
}
