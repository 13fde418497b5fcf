import { Connection, type RequestText, renderRequest } from '../../dev/load/connection.ts';
import { median } from '../../dev/load/statistics.ts';

/** One request of a soak, and its allowed statuses. */
export interface SoakRequest extends RequestText {
  readonly statuses: readonly number[];
}

/** Options of the mock: most requests are never over a limit, and sandboxes are evicted early. */
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

/** Requests that grow a leaking server: new items, names, keys, paths, queries and sandboxes. */
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

/** The request with an index from 0: the same in every run, with all kinds equally often. */
export function soakRequest(index: number): SoakRequest {
  const kind = requestKinds[(index * 7) % requestKinds.length] ?? requestKinds[0];
  if (kind === undefined) throw new RangeError('There are no kinds.');
  return kind(index);
}

/**
 * Sends the requests with indexes from `from` up to `to` over several connections, each with one pending
 * request, and occasionally closes or breaks a connection. Rejects for a response with an unexpected
 * status.
 */
export async function sendTraffic(
  target: { readonly port: number; readonly basePath: string },
  from: number,
  to: number,
  connections: number,
): Promise<void> {
  let next = from;
  const drive = async (connection: Connection): Promise<void> => {
    for (let index = next++; index < to; index = next++)
      await sendOne(connection, target.basePath, index);
  };
  const opened = Array.from({ length: connections }, () => new Connection(target.port));
  try {
    await Promise.all(opened.map(drive));
  } finally {
    for (const connection of opened) connection.close();
  }
}

async function sendOne(connection: Connection, basePath: string, index: number): Promise<void> {
  const { statuses, path, ...rest } = soakRequest(index);
  const request = { ...rest, path: basePath + path };
  if (index % 401 === 0) {
    await connection.breakOff(
      `POST ${basePath}/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"name":"${index}`,
    );
  } else if (index % 307 === 0) {
    expectStatus(await connection.exchangeLast(`${index} is no request\r\n\r\n`), [400], index);
  } else if (index % 211 === 0) {
    const text = renderRequest(request, 'Connection: close\r\n');
    expectStatus(await connection.exchangeLast(text), statuses, index);
  } else {
    expectStatus(await connection.exchange(renderRequest(request)), statuses, index);
  }
}

function expectStatus(status: number, expected: readonly number[], index: number): void {
  if (!expected.includes(status))
    throw new Error(
      `Request ${index} was answered ${status} instead of ${expected.join(' or ')}: ${JSON.stringify(soakRequest(index))}`,
    );
}

/** The share of initial samples that is skipped: caches, journals and compiled code fill. */
const warmUp = 0.1;

/**
 * The growth of a quantity sampled at even distances: compares the medians of the first and last third
 * after the warm-up, which a few wrong samples cannot change.
 * @param allowance by how much the last may exceed the first: the variation of repeated measurements
 * @throws {RangeError} for fewer than nine samples
 */
export function measureGrowth(samples: readonly number[], allowance: number) {
  const warm = samples.slice(Math.ceil(samples.length * warmUp));
  const third = Math.floor(warm.length / 3);
  if (samples.length < 9) throw new RangeError('Growth is measured by nine samples or more.');
  const first = median(warm.slice(0, third));
  const last = median(warm.slice(-third));
  return { first, last, hasGrown: last - first > allowance };
}
