/** The third argument of a reviver of `JSON.parse`, in browsers since 2024. */
interface Context {
  readonly source?: string;
}

/**
 * A reviver for `JSON.parse`. A number that JavaScript would round keeps its source text, also in
 * `JSON.stringify`.
 */
export function keepNumber(_name: string, value: unknown, context?: Context): unknown {
  return typeof value === 'number' && context?.source !== undefined
    ? exactNumber(value, context.source)
    : value;
}

/** The value of a JSON number; undefined for any other text. */
export function parseNumber(text: string): unknown {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
    ? exactNumber(Number(text), text)
    : undefined;
}

function exactNumber(value: number, source: string): unknown {
  if (String(value) === source || !/^-?\d{16,}$/.test(source)) return value;
  const keep: unknown = Reflect.get(JSON, 'rawJSON');
  return typeof keep === 'function' ? Reflect.apply(keep, JSON, [source]) : value;
}
