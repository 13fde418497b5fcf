import type { Contract, JsonObject, JsonValue, Operation } from '../../../contract/index.ts';
import { successResponse } from '../response/documented.ts';
import { roleOf } from './resource-role.ts';

/** Makes a value that looks like a schema of the document; undefined if it cannot. */
export type Sampler = (schema: JsonObject | boolean, document: JsonObject) => JsonValue | undefined;

/** A sampler that may still be loading. */
export interface Sampling {
  /** Resolved when `sampler` can be used; at once where no operation needs it. */
  readonly ready: Promise<void>;
  /** Undefined until then, and for good where the library is not installed. */
  readonly sampler: () => Sampler | undefined;
}

/** Loads the library that makes samples, which is large, only where it is needed. */
export function openSampling(contract: Contract): Sampling {
  let loaded: Sampler | undefined;
  const load = async (): Promise<void> => {
    loaded = await loadSampler();
  };
  const isNeeded = contract.operations.some(
    (operation) =>
      needsSample(operation) &&
      contract.resources.every((resource) => roleOf(resource, operation) === undefined),
  );
  return { ready: isNeeded ? load() : Promise.resolve(), sampler: () => loaded };
}

/** True if the operation can be answered only by a sample. */
function needsSample(operation: Operation): boolean {
  const [content] = successResponse(operation)?.content ?? [];
  return content !== undefined && content.examples.length === 0 && content.schema !== undefined;
}

async function loadSampler(): Promise<Sampler | undefined> {
  try {
    const { sample } = await import('openapi-sampler');
    return (schema, document) => {
      try {
        return toJson(
          sample(
            typeof schema === 'boolean' ? {} : { ...schema },
            { skipWriteOnly: true, quiet: true },
            document,
          ),
        );
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
