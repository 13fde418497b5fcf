import { Connection, renderRequest } from '../load/connection.ts';
import { soakRequest } from './requests.ts';

/**
 * Sends the requests with indexes from `from` up to `to` over some connections, each with one
 * request under way, and now and then what closes or breaks a connection. Rejects for a response
 * with another status than it may have.
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
