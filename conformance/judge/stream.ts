import { type JsonObject, type JsonValue, parseJson } from '../../contract/index.ts';

/**
 * The items of a body that is a stream: server-sent events, JSON lines, or a JSON text sequence
 * (RFC 7464). An item is undefined where it is not JSON; the list is, for other media types.
 *
 * @param isEvent an item is an event with its fields, else the JSON in its data
 */
export function readStream(
  mediaType: string,
  body: string,
  isEvent: boolean,
): readonly (JsonValue | undefined)[] | undefined {
  if (mediaType === 'text/event-stream')
    return readEvents(body).map((event) => (isEvent ? event : readItem(event.data)));
  const isLines = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/.test(mediaType);
  if (!isLines && mediaType !== 'application/json-seq') return undefined;
  return body
    .split(isLines ? /\r?\n/ : '\u001E')
    .filter((text) => text.trim() !== '')
    .map(readItem);
}

function readItem(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Events with their fields (HTML Standard, section 9.2.6); those without data are none. */
function readEvents(body: string): readonly (JsonObject & { readonly data: string })[] {
  const events: (JsonObject & { readonly data: string })[] = [];
  for (const block of body.replace(/^\uFEFF/, '').split(/(?:\r\n|\r|\n){2}/)) {
    const data: string[] = [];
    const event: Record<string, JsonValue> = {};
    for (const line of block.split(/\r\n|\r|\n/)) {
      const [, name = '', value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event' || name === 'id') event[name] = value;
      else if (name === 'retry' && /^\d+$/.test(value)) event[name] = Number(value);
    }
    if (data.length > 0) events.push({ ...event, data: data.join('\n') });
  }
  return events;
}
