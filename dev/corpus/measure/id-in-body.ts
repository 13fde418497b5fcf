import { isRecord } from '../document/json.ts';
import type { Operation } from '../document/operation.ts';

/** The parameter of an item path: `petId` of `/pets/{petId}` below `/pets`. */
export function itemParameter(collection: string, item: string): string | undefined {
  if (!item.startsWith(`${collection}/{`)) return undefined;
  return /^\/\{([^{}/]+)\}$/.exec(item.slice(collection.length))?.[1];
}

/** The operation of the item path of a collection, by its method. */
export function itemOperation(
  operations: readonly Operation[],
  collection: string,
  method: string,
): Operation | undefined {
  return operations.find(
    (one) => one.method === method && itemParameter(collection, one.path) !== undefined,
  );
}

/** An id of an item in a body: a member with one of the usual names, in an envelope too. */
export function idInBody(
  body: unknown,
  collection: string,
  parameter: string,
): string | number | undefined {
  const names = idNames(collection, parameter);
  const direct = idOf(body, names);
  if (direct !== undefined || !isRecord(body)) return direct;
  return Object.values(body)
    .map((one) => idOf(one, names))
    .find((id) => id !== undefined);
}

function idOf(value: unknown, names: readonly string[]): string | number | undefined {
  if (Array.isArray(value)) return idOf(value[0], names);
  if (!isRecord(value)) return undefined;
  for (const wanted of names)
    for (const [name, one] of Object.entries(value))
      if (plain(name) === wanted && (typeof one === 'number' || (typeof one === 'string' && one)))
        return one;
  return undefined;
}

function idNames(collection: string, parameter: string): readonly string[] {
  const segments = collection.split('/').filter((one) => one !== '' && !one.startsWith('{'));
  const singular = (segments.at(-1) ?? '').replace(/ies$/, 'y').replace(/s$/, '');
  const short = plain(parameter).replace(plain(singular), '');
  const usual = ['id', `${singular}id`, 'uuid', 'uid', 'key', 'slug', 'name'];
  return [parameter, ...usual, short].map(plain).filter((name) => name !== '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
