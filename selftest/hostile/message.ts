/** A response as a hostile target has it before it goes on the wire. */
export interface Message {
  readonly status: number;
  /** With `Content-Type`; without what tells of the framing. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What is put on the wire of one response, in order; the connection is closed after it. */
export type Wire = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of a text, each character one byte. */
export function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The head of a message, with further fields before its end. */
export function renderHead({ status, fields }: Message, ...more: readonly string[]): Uint8Array {
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return latin1(`HTTP/1.1 ${status} Told\r\n${[...lines, ...more].join('\r\n')}\r\n\r\n`);
}

/** A message as it ought to be, by its length. */
export function* renderWhole(message: Message): Generator<Uint8Array> {
  yield renderHead(message, `Content-Length: ${message.body.length}`, 'Connection: close');
  yield message.body;
}

/** One chunk (RFC 9112 section 7.1). */
export function renderChunk(bytes: Uint8Array, extension = ''): Uint8Array {
  return Buffer.concat([
    latin1(`${bytes.length.toString(16)}${extension}\r\n`),
    bytes,
    latin1('\r\n'),
  ]);
}

/** The same message with other fields of these names. */
export function withFields(
  message: Message,
  ...fields: readonly (readonly [name: string, value: string])[]
): Message {
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  const others = message.fields.filter(([name]) => !names.has(name.toLowerCase()));
  return { ...message, fields: [...others, ...fields] };
}

/** The same message with another body. */
export function withBody(message: Message, body: string | Uint8Array): Message {
  return { ...message, body: typeof body === 'string' ? Buffer.from(body) : body };
}
