import { once } from 'node:events';
import { connect } from 'node:net';
import { explainTransportError } from './inconclusive.ts';
import { readTransportError } from './sender.ts';

/**
 * Why nobody can be reached at a base address; undefined where somebody takes a connection, or does
 * not say. No request is sent: none counts against a limit.
 */
export async function explainUnreached(
  baseUrl: string,
  milliseconds: number,
): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(milliseconds) });
    return undefined;
  } catch (error) {
    const failure = readTransportError(error);
    const isKnown = failure.reason === 'unreachable' || failure.reason === 'name';
    return isKnown ? explainTransportError(failure, baseUrl) : undefined;
  } finally {
    socket.destroy();
  }
}
