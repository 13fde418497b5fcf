import { type Limit, responseLimits } from '../../../limits/index.ts';
import { measureJson } from './json-size.ts';
import { Excess, tellCount } from './excess.ts';

/** What the bodies of one run may still cost. Small ones are bounded by the number of requests. */
export interface Allowance {
  /**
   * Takes a body in, without its content codings.
   * @throws {Excess} where its JSON, or all large bodies together, are more than is kept
   */
  readonly take: (body: string, bytes: number) => void;
}

/** A body of more than this counts as large. */
const small = 16 * 1024;

/**
 * Creates the allowance of a run of which nothing is spent. `most`: bytes of one body; where that is
 * more than the default, all else grows with it.
 */
export function createAllowance(most: number): Allowance {
  const growth = Math.max(1, most / responseLimits.bytes.most);
  const grown = (limit: Limit): number => Math.floor(limit.most * growth);
  const mostValues = grown(responseLimits.values);
  const [bytesTogether, valuesTogether] = [
    grown(responseLimits.bytesTogether),
    grown(responseLimits.valuesTogether),
  ];
  let [bytes, values] = [0, 0];
  return {
    take: (body, length) => {
      const size = measureJson(body);
      refuseDeep(size.levels);
      refuseMany(size.values, mostValues);
      if (length <= small) return;
      if (bytes + length > bytesTogether) throw spent(length, 'bytes', bytes, bytesTogether);
      if (values + size.values > valuesTogether)
        throw spent(size.values, 'values', values, valuesTogether);
      bytes += length;
      values += size.values;
    },
  };
}

function refuseDeep(levels: number): void {
  const { most } = responseLimits.levels;
  if (levels > most)
    throw new Excess(
      'too-large',
      `its JSON is nested ${tellCount(levels)} levels deep, and at most ${most} are read`,
    );
}

function refuseMany(values: number, most: number): void {
  if (values > most)
    throw new Excess(
      'too-large',
      `its JSON has ${tellCount(values)} values, and at most ${tellCount(most)} are read (--max-response-bytes)`,
    );
}

function spent(size: number, unit: string, before: number, most: number): Excess {
  return new Excess(
    'too-large',
    `it has ${tellCount(size)} ${unit}, after ${tellCount(before)} in the large responses before it; of one run at most ${tellCount(most)} are kept (--max-response-bytes)`,
  );
}
