/** One of server-sent events. */
export interface SentEvent {
  readonly name: string;
  readonly data: string;
}

/** Reads server-sent events (HTML standard, section 9.2.6) until the stream ends. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<SentEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (name !== undefined && data !== undefined) yield { name, data };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
