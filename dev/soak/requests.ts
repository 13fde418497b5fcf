import type { RequestText } from '../load/connection.ts';

/** One request of a soak, and the statuses that it may be answered. */
export interface SoakRequest extends RequestText {
  readonly statuses: readonly number[];
}

/** How the mock is started: most requests never over a limit, sandboxes soon forgotten. */
export const soakLimit = {
  plan: 'enterprise',
  windows: { minute: 900_000_000, day: 900_000_000 },
} as const;
export const soakSandboxes = 50;

const usualKey = 'demo-enterprise';
const petStatuses = ['available', 'pending', 'sold'] as const;

const read = (
  path: string,
  statuses: readonly number[],
  key: string | undefined = usualKey,
): SoakRequest => ({ method: 'GET', path, key, body: undefined, statuses });
const write = (
  body: string,
  statuses: readonly number[],
  key: string | undefined = usualKey,
): SoakRequest => ({ method: 'POST', path: '/pets', key, body, statuses });

/** What grows in a server that leaks: new items, names, keys, paths, queries and sandboxes. */
const requestKinds: readonly ((index: number) => SoakRequest)[] = [
  (index) => read(`/pets?limit=${1 + (index % 100)}`, [200]),
  () => read('/pets', [200]),
  (index) => read(`/pets?status=${petStatuses[index % 3] ?? ''}&unknown=${index}`, [200]),
  (index) => read(`/pets/${1 + (index % 30)}`, [200]),
  (index) => read(`/pets/${1 + (index % 7)}?x=${index}`, [200]),
  (index) => read(`/pets/${1_000_000_000 + index}`, [404]),
  (index) => write(`{"name":"Pet ${index}","categoryId":${index}}`, [201]),
  (index) =>
    write(
      `{"name":"🐢${index}","categoryId":9007199254740993,"status":"sold","more":[${index}]}`,
      [201],
    ),
  (index) => write(`{"name":"Pet ${index}","categoryId":"${index}"}`, [400]),
  (index) => write(`{"name":"Pet ${index}",`, [400]),
  (index) => read(`/pets?limit=${101 + index}`, [400]),
  (index) => read(`/nowhere/${index}`, [404]),
  (index) => ({ ...write('{}', [405]), method: 'PUT', path: `/pets?x=${index}` }),
  (index) => read('/pets', [401, 429], `wrong-${index}`),
  () => ({ ...read('/pets', [401, 429]), key: undefined }),
  () => read('/pets/1', [200, 429], 'free_busy'),
  (index) => read('/pets?limit=5', [200], `pro_s${index}`),
  (index) => write(`{"name":"Pet ${index}","categoryId":1}`, [201], `business_s${index - 1}`),
];

/** The request with an index from 0: the same in every run, all kinds as often. */
export function soakRequest(index: number): SoakRequest {
  const kind = requestKinds[(index * 7) % requestKinds.length] ?? requestKinds[0];
  if (kind === undefined) throw new RangeError('There are no kinds.');
  return kind(index);
}
