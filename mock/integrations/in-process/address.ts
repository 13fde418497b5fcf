import { trimEnd } from '../../../contract/http/address.ts';

/** Which addresses an integration answers for. */
export interface Address {
  /** Scheme, host and port: `https://api.example.com`. */
  readonly origin: string;
  /** The target in the mock of a path and query as sent; undefined for one that goes elsewhere. */
  locate(origin: string, path: string): string | undefined;
}

/**
 * Without a path (`https://api.example.com`), the whole origin; with one, what is below it. The path
 * takes the place of the base path of the document. Throws `TypeError` for anything but an http or
 * https URL.
 */
export function compileAddress(basePath: string, baseUrl: string | URL): Address {
  const url = parseBaseUrl(baseUrl);
  const prefix = trimEnd(url.pathname, '/');
  return {
    origin: url.origin,
    locate(origin, path) {
      if (origin !== url.origin) return undefined;
      if (prefix === '') return path;
      const rest = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
      return rest !== undefined && /^([/?]|$)/.test(rest) ? basePath + rest : undefined;
    },
  };
}

function parseBaseUrl(baseUrl: string | URL): URL {
  const text = baseUrl instanceof URL ? baseUrl.href : baseUrl;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
    return url;
  throw new TypeError(
    `"${text}" is not a base URL. Use an http or https URL without a query, such as https://api.example.com/v1.`,
  );
}
