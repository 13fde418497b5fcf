import {
  type Outcome,
  type Sender,
  type WireRequest,
  bytesOf,
  readBody,
} from '../conformance/index.ts';
import type { Respond } from './service/service.ts';

interface Patience {
  /** Milliseconds after which a request without a response counts as hung. */
  readonly timeout: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Creates a sender that passes requests to a service in this process, and reports each response as the
 * network would, except for the header fields of connection and framing. It never repeats a request after a
 * reset connection: only a real network shows that.
 */
export function createInProcessSender(respond: Respond, { timeout, sleep }: Patience): Sender {
  return {
    async send(request) {
      await new Promise((resolve) => void setImmediate(resolve));
      const { status, headers, bytes, delivery } = await respond(readRequest(request));
      if (delivery === 'hang') {
        await sleep(timeout);
        return failed('timeout', 'no response in time');
      }
      if (delivery === 'reset' || delivery === 'cut') return failed('cut', 'other side closed');
      const body = status === 204 || status === 304 ? new Uint8Array() : bytes;
      const fields = Object.entries(headers).map(([name, value]) => [name, value.trim()] as const);
      return { kind: 'answered', response: { status, headers: fields, ...readBody(body) } };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function readRequest({ url, method, headers, body, encoding }: WireRequest) {
  const { host, origin } = new URL(url);
  const bytes = bytesOf({ body, encoding });
  const sent = headers.map(([name, value]) => [name.toLowerCase(), value.trim()]);
  const length = method === 'GET' ? {} : { 'content-length': String(bytes.length) };
  return {
    method,
    target: url.slice(origin.length),
    headers: { host, connection: 'keep-alive', ...Object.fromEntries(sent), ...length },
    body: bytes,
    connection: 'in-process',
  };
}

function failed(reason: 'timeout' | 'cut', message: string): Outcome {
  return { kind: 'no-response', error: { reason, message } };
}
