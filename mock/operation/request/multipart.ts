/** A part of a multipart body (RFC 7578 section 4). */
export interface Part {
  /** `` where the part does not say. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The parts of a multipart body (RFC 2046 section 5.1.1); undefined where the media type gives no
 * boundary, or the body has none.
 */
export function readParts(contentType: string, bytes: Uint8Array): readonly Part[] | undefined {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) return undefined;
  // Latin-1 is one character for one byte, so that places in the text are places in the bytes.
  const text = `\r\n${renderLatin1(bytes)}`;
  const delimiter = `\r\n--${renderLatin1(new TextEncoder().encode(boundary))}`;
  const pieces = text.split(delimiter);
  const end = pieces.findIndex((piece, index) => index > 0 && piece.startsWith('--'));
  if (pieces.length < 2 || end < 0) return undefined;
  return pieces.slice(1, end).map(readPart);
}

function readPart(piece: string): Part {
  const blank = piece.indexOf('\r\n\r\n');
  const head = blank < 0 ? '' : piece.slice(0, blank);
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const [, quoted, token] =
    /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition) ?? [];
  const bytes = bytesOf(blank < 0 ? '' : piece.slice(blank + 4));
  const name = decodeText(bytesOf(quoted?.replace(/\\(.)/g, '$1') ?? token ?? ''));
  // Browsers write a quote in a name as %22 (HTML, multipart/form-data encoding algorithm).
  return { name: name.replaceAll('%22', '"'), bytes };
}

/** As UTF-8 where it is that, else a character for each byte. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return renderLatin1(bytes);
  }
}

function renderLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function bytesOf(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}
