/**
 * An address without its user and password, which must not be printed. They end at the last `@`: a password
 * may contain any character, and then the address is not a URL.
 */
export function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:)?(\/\/)?.*@/is, '$1$2');
}

/**
 * A text without trailing characters of a set: `trimEnd('/pets//', '/')`. Reads each character once; an
 * expression such as `/\/+$/` would try each run of them to its end.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** 127.0.0.0/8 (RFC 1122 section 3.2.1.3) and ::1 (RFC 4291 section 2.5.3), also mapped. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address);
}

/**
 * Whether the host of a `Host` field or an origin is this machine. A page whose domain was made to resolve
 * here (DNS rebinding) has another host.
 */
export function isOwnHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return isLoopback(name) || /^(?:.+\.)?localhost$/i.test(name);
}

/** A request header field by its lower-case name. */
type ReadField = (name: string) => string | undefined;

/**
 * How a page of another site sent a request: by its `Origin`, or by loading it as a script, a frame or
 * otherwise (Fetch Metadata). Undefined for none. Following a link does not count: the page cannot access
 * what is shown then.
 */
export function findForeignPage(
  read: ReadField,
  isAllowed: (origin: string) => boolean,
): 'origin' | 'load' | undefined {
  const origin = read('origin');
  if (origin !== undefined && isAllowed(origin)) return undefined;
  if (origin !== undefined && !isOwnOrigin(origin, read('host') ?? '')) return 'origin';
  const {
    site = 'none',
    mode,
    dest = 'document',
  } = {
    site: read('sec-fetch-site'),
    mode: read('sec-fetch-mode'),
    dest: read('sec-fetch-dest'),
  };
  const isForeign = site !== 'none' && site !== 'same-origin';
  return isForeign && !(mode === 'navigate' && dest === 'document') ? 'load' : undefined;
}

function isOwnOrigin(origin: string, host: string): boolean {
  return host !== '' && (origin === `http://${host}` || origin === `https://${host}`);
}
