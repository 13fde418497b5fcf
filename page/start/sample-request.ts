import type { OutgoingRequest } from '../service/outgoing-request.ts';
import type { Session } from '../session/session.ts';
import type { Collection, Operation } from '../session/types.ts';

/** A request to an operation that the mock can do something with, without its key. */
export async function loadSampleRequest(
  { control, mock, sandbox }: Pick<Session, 'control' | 'mock' | 'sandbox'>,
  operation: Operation,
): Promise<OutgoingRequest> {
  const collections = await control.call('listCollections', { sandbox });
  const idOf = async (parent: string): Promise<string> => {
    const found = collections.find(({ path }) => path === parent);
    if (found === undefined) return '1';
    const { items } = await control.call('listItems', { sandbox, collection: parent, limit: 1 });
    const [first] = items;
    const id: unknown = found.id === undefined ? undefined : first?.item[found.id];
    return typeof id === 'string' || typeof id === 'number' ? `${id}` : (first?.id ?? '1');
  };
  const body = sampleBody(operation, collections);
  return {
    method: operation.method,
    url: mock.url + (await fillPath(operation.path, idOf)),
    headers: body === undefined ? [] : [['Content-Type', 'application/json']],
    body,
  };
}

/** The path with the id of an item that there is in place of each parameter. */
async function fillPath(path: string, idOf: (parent: string) => Promise<string>): Promise<string> {
  let filled = '';
  for (const segment of path.split('/').slice(1)) {
    filled += `/${/^\{.*\}$/.test(segment) ? encodeURIComponent(await idOf(filled)) : segment}`;
  }
  return filled.replaceAll(/\{[^{}]*\}/g, '1');
}

function sampleBody(
  { method, path }: Operation,
  collections: readonly Collection[],
): string | undefined {
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return undefined;
  const parent = path.replace(/\/\{[^/]*\}$/, '');
  return JSON.stringify(collections.find((one) => one.path === parent)?.sample ?? {});
}
