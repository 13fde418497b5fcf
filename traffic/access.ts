import type { IncomingMessage } from 'node:http';
import { findForeignPage, isLoopback, isOwnHost } from '../contract/http/address.ts';

/** Why a request is not passed on. */
export interface Refused {
  readonly status: 403 | 404;
  readonly title: string;
}

/**
 * Why a request must not reach the target: it is not below the base path, or no program of the user
 * sent it. The target sees a connection from this machine and its own name as `Host`, so it cannot
 * find out by itself.
 */
export function refuseRequest(
  { url = '/', headers, socket }: IncomingMessage,
  basePath: string,
): Refused | undefined {
  if (!isBelow(basePath, pathOf(url).split(/[?#]/, 1)[0] ?? ''))
    return {
      status: 404,
      title: `The proxy forwards only requests below ${basePath}/, and none to the control interface of a mock.`,
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

/** Path and query of a request target; of one in absolute form, without the origin. */
export function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** Pages that a development server of the user serves. */
function isOwnOrigin(origin: string): boolean {
  return isOwnHost(URL.parse(origin)?.host ?? '');
}

/** Where every mock of this package has its control interface. */
const controlPath = '/_mock';

/** True for a path that is below another however a server reads its dots and escapes. */
function isBelow(basePath: string, path: string): boolean {
  if (!startsWithPath(path, basePath)) return false;
  const settled = settle(path);
  return startsWithPath(settled, settle(basePath)) && !startsWithPath(settled, controlPath);
}

function startsWithPath(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** A path without escapes and dot segments. */
function settle(path: string): string {
  if (!/%|\\|\/[/.]/.test(path)) return path;
  const segments: string[] = [];
  for (const segment of unescape(path)
    .split(/[/\\]+/)
    .slice(1)) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return segments.map((segment) => `/${segment}`).join('');
}

function unescape(path: string): string {
  return path.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
