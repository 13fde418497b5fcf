import {
  type Contract,
  type JsonValue,
  type Operation,
  parseJson,
  compilePathMatch,
} from '../../../../contract/index.ts';

/** A request to a service and its response, as far as items can be read from them. */
export interface Observation {
  readonly method: string;
  /** Absolute, or below the base address. */
  readonly address: string;
  readonly status: number;
  /** Body of the request as JSON; undefined for none. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  /** Why the body of the response is not there to its end. Follows "its body". */
  readonly missing?: string;
}

/** An observation of an operation of the document. */
export interface PlacedObservation extends Observation {
  readonly operation: Operation;
  /** Decoded values of the path's parameters, in the order of the template. */
  readonly pathValues: readonly string[];
}

/** A text as JSON; undefined for none, and for what is none. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

/** Observations of the operations of a document, by the base address that most of them have. */
export interface Placed {
  readonly base: string;
  readonly observations: readonly PlacedObservation[];
  /** Number of those that are of another address, or of no operation. */
  readonly others: number;
}

/** Finds the base address under which most of what was observed is in the document. */
export function placeObservations(contract: Contract, all: readonly Observation[]): Placed {
  const find = compileFind(contract);
  const byBase = new Map<string, PlacedObservation[]>();
  for (const observation of all) {
    const { origin, path } = splitAddress(observation.address);
    for (const base of basesOf(path)) {
      const found = find(observation.method, path.slice(base.length));
      if (found === undefined) continue;
      const placed = byBase.get(origin + base) ?? [];
      placed.push({ ...observation, ...found });
      byBase.set(origin + base, placed);
    }
  }
  const rank = ([base, { length }]: readonly [string, readonly unknown[]]): number =>
    length * 2 + (base.endsWith(contract.basePath) ? 1 : 0);
  const [best] = [...byBase].toSorted((one, other) => rank(other) - rank(one));
  const [base = '', observations = []] = best ?? [];
  return { base, observations, others: all.length - observations.length };
}

/** Every start of a path that a base path can be: `/v1/pets` has ``, `/v1` and `/v1/pets`. */
function basesOf(path: string): readonly string[] {
  const ends = [...path.matchAll(/\/|$/g)].map(({ index }) => index);
  return [...new Set(ends)].map((end) => path.slice(0, end));
}

function splitAddress(address: string): { readonly origin: string; readonly path: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined) return { origin: url.origin, path: url.pathname };
  return { origin: '', path: address.split(/[?#]/, 1)[0] ?? '' };
}

type Found = Pick<PlacedObservation, 'operation' | 'pathValues'>;

/** Templates with fewer parameters go first, as concrete paths go before others. */
function compileFind({
  operations,
}: Contract): (method: string, path: string) => Found | undefined {
  const compiled = operations
    .map((operation) => {
      const path = operation.path.split(/[?#]/)[0] ?? '';
      return { operation, match: compilePathMatch(path), parameters: path.split('{').length };
    })
    .toSorted((one, other) => one.parameters - other.parameters);
  return (method, path) => {
    for (const { operation, match } of compiled) {
      const values = operation.method === method ? match(path) : undefined;
      if (values !== undefined) return { operation, pathValues: values.map(decode) };
    }
    return undefined;
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
