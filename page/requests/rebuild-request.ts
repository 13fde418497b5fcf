import type { ExchangeDetail, Mock, Sandbox } from '../../mock/control/client.ts';
import { type HeaderPair, type OutgoingRequest, addKey } from '../service/request.ts';

/** A journalled request that can be sent again, or why it cannot. */
export type Rebuilt =
  | { readonly kind: 'request'; readonly request: OutgoingRequest; readonly note?: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Headers that each HTTP client sets itself. */
const ownHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-(encoding|language)|user-agent|origin|referer|priority|dnt|sec-.*|access-control-request-.*|cookie)$/i;

/** The request of an exchange, with the key of its plan and sandbox. */
export function rebuildRequest(
  { exchange, request }: ExchangeDetail,
  mock: Pick<Mock, 'url' | 'operations'>,
  keys: Sandbox['keys'],
): Rebuilt {
  const { method, target, credential, plan, operation } = exchange;
  if (!target.startsWith('/')) return lost('Its target is not a path.');
  if (target.length > 1000)
    return lost('The mock keeps only the first 1,000 characters of a target.');
  const { body, bodyLength } = request;
  if (bodyLength === undefined) return lost('Its body was not read to the end.');
  const isWhole = new TextEncoder().encode(body ?? '').length === bodyLength;
  if (!isWhole || body?.includes('\0') === true)
    return lost(
      'The mock keeps only the first 4,096 bytes of a body, and removes keys and binary data.',
    );
  const headers = request.headers.map(({ name, value }): HeaderPair => [name, value]);
  const plain: OutgoingRequest = {
    method,
    url: new URL(mock.url).origin + target,
    headers: headers.filter(([name, value]) => !ownHeaders.test(name) && !isUsual(name, value)),
    body,
  };
  if (credential !== 'valid') return { kind: 'request', request: plain };
  const { credentials = [] } =
    mock.operations.find(({ id }) => id === operation) ?? mock.operations[0] ?? {};
  const key = keys.find((one) => one.plan === (plan ?? ''))?.key;
  if (key === undefined) return { kind: 'request', request: plain };
  const note = credentials.some((one) => one.in === 'query')
    ? { note: 'The query contained a key, which the mock does not keep.' }
    : {};
  return { kind: 'request', request: addKey(plain, credentials, key), ...note };
}

function lost(reason: string): Rebuilt {
  return { kind: 'lost', reason };
}

function isUsual(name: string, value: string): boolean {
  return name.toLowerCase() === 'accept' && value === '*/*';
}
