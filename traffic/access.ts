import type { IncomingMessage } from 'node:http';
import { posix } from 'node:path';
import { findForeignPage, isLoopback, isOwnHost } from '../contract/http/address.ts';

/** Why a request is not forwarded. */
export interface Refused {
  readonly status: 403 | 404;
  readonly title: string;
}

/**
 * Rejects requests that must not reach the target: those not below the base path, and those that
 * come from a foreign web page. The target cannot detect the latter, because it sees a connection
 * from this machine with its own name as `Host`.
 */
export function refuseRequest(
  { url = '/', headers, socket }: IncomingMessage,
  basePath: string,
): Refused | undefined {
  if (!isBelow(basePath, pathOf(url).split(/[?#]/, 1)[0] ?? ''))
    return {
      status: 404,
      title: `The proxy only forwards requests below ${basePath}/, and none to the control interface of a mock.`,
    };
  const { host } = headers;
  const isFromHere = isLoopback(socket.remoteAddress ?? '');
  if (isFromHere && host !== undefined && !isOwnHost(host))
    return {
      status: 403,
      title: `The proxy cannot be used under the host name ${host}. Use localhost or 127.0.0.1.`,
    };
  const read = (name: string): string | undefined => headers[name]?.toString();
  if (findForeignPage(read, isOwnOrigin) !== undefined)
    return {
      status: 403,
      title:
        'The proxy does not forward requests from pages of other sites, only from those of this machine.',
    };
  return undefined;
}

/** Path and query of a request target. Removes the origin of an absolute URL. */
export function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** Pages of the user's own development server. */
function isOwnOrigin(origin: string): boolean {
  return isOwnHost(URL.parse(origin)?.host ?? '');
}

/** Path of the control interface of every mock. */
const controlPath = '/_mock';

/** True if a path is below another, however a server interprets its dot segments and escapes. */
function isBelow(basePath: string, path: string): boolean {
  if (!startsWithPath(path, basePath)) return false;
  const settled = settle(path);
  return startsWithPath(settled, settle(basePath)) && !startsWithPath(settled, controlPath);
}

function startsWithPath(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** Removes escapes and dot segments. */
function settle(path: string): string {
  return /%|\\|\/[/.]/.test(path) ? posix.normalize(unescape(path).replaceAll('\\', '/')) : path;
}

function unescape(path: string): string {
  return path.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
