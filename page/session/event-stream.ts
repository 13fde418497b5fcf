/** An event of a stream of server-sent events. */
export interface StreamEvent {
  readonly kind: string;
  readonly data: string;
}

/**
 * Reads server-sent events (HTML standard, section 9.2.6) until the stream ends. By `fetch` and not
 * `EventSource`, which cannot send a token.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield* parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** None for a block of comments. */
function parseEvent(block: string): readonly StreamEvent[] {
  const lines = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const valuesOf = (name: string): readonly string[] =>
    lines.flatMap((line) => (line?.[1] === name ? [line[2] ?? ''] : []));
  const data = valuesOf('data');
  return data.length === 0
    ? []
    : [{ kind: valuesOf('event')[0] ?? 'message', data: data.join('\n') }];
}
