import type { JsonValue } from '../contract/index.ts';
import type { Sampler } from './actions/example.ts';

/** Loads the library that makes samples. It is not small, so it is loaded only for documents that need it; undefined if it is not installed. */
export async function loadSampler(): Promise<Sampler | undefined> {
  try {
    const { sample } = await import('openapi-sampler');
    return (schema, document) => {
      try {
        return toJson(sample(typeof schema === 'boolean' ? {} : { ...schema }, { skipWriteOnly: true, quiet: true }, document));
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}

function toJson(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}
