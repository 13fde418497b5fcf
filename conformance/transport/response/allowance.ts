import { measureJson } from './json-size.ts';
import { Excess, tellCount } from './excess.ts';
import { mostResponseBytes, mostResponseValues } from '../../../contract/limits/index.ts';

/** Bytes of all large bodies of a run. */
export const mostLargeBytes = 24 * 1024 * 1024;

/** JSON values of all large bodies of a run. */
export const mostLargeValues = 500_000;

/** Bytes of all other bodies and of all headers of a run. */
export const mostSmallBytes = 16 * 1024 * 1024;

/** JSON values of all other bodies of a run, and two for each header field of any response. */
export const mostSmallValues = 600_000;

/** Levels of the JSON of a response. */
export const mostLevels = 200;

/** What a response costs, as it is kept. */
export interface Received {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Without its content codings. */
  readonly body: string;
  /** Bytes of that body. */
  readonly length: number;
}

/** What the responses of one run may still cost. */
export interface Allowance {
  /**
   * Takes a response in.
   * @throws {Excess} where its JSON, or all responses together, are more than is kept
   */
  readonly take: (received: Received) => void;
}

/** A body of more than this counts as large. */
const small = 16 * 1024;

/** What each response adds to the bounds of the small ones: more than most of them have. */
const each = { bytes: 8 * 1024, values: 400 };

/** Responses that share a bound, and what they have taken of it. */
interface Purse {
  readonly of: string;
  readonly bytes: number;
  readonly values: number;
  spentBytes: number;
  spentValues: number;
}

/**
 * Creates the allowance of a run of which nothing is spent. `most`: bytes of one body; where that is
 * more than the default, all else grows with it.
 */
export function createAllowance(most: number): Allowance {
  const growth = Math.max(1, most / mostResponseBytes);
  const grown = (limit: number): number => Math.floor(limit * growth);
  const large = createPurse('large', mostLargeBytes, mostLargeValues);
  const other = createPurse('small', mostSmallBytes, mostSmallValues);
  let responses = 0;
  const spend = (purse: Purse, bytes: number, values: number): void => {
    const more = purse === other ? responses : 0;
    const mostBytes = grown(purse.bytes) + more * each.bytes;
    const mostValues = grown(purse.values) + more * each.values;
    if (purse.spentBytes + bytes > mostBytes)
      throw spent(bytes, 'bytes', purse.of, purse.spentBytes, mostBytes);
    if (purse.spentValues + values > mostValues)
      throw spent(values, 'values', purse.of, purse.spentValues, mostValues);
    purse.spentBytes += bytes;
    purse.spentValues += values;
  };
  return {
    take: ({ headers, body, length }) => {
      responses += 1;
      const { levels, values } = measureJson(body);
      refuseDeep(levels);
      refuseMany(values, grown(mostResponseValues));
      const fields = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
      const isLarge = length > small;
      if (isLarge) spend(large, length, values);
      spend(other, fields + (isLarge ? 0 : length), 2 * headers.length + (isLarge ? 0 : values));
    },
  };
}

function createPurse(of: string, bytes: number, values: number): Purse {
  return { of, bytes, values, spentBytes: 0, spentValues: 0 };
}

function refuseDeep(levels: number): void {
  const most = mostLevels;
  if (levels > most)
    throw new Excess(
      'too-large',
      `its JSON is nested ${tellCount(levels)} levels deep; at most ${most} are read`,
    );
}

function refuseMany(values: number, most: number): void {
  if (values > most)
    throw new Excess(
      'too-large',
      `its JSON has ${tellCount(values)} values; at most ${tellCount(most)} are read`,
      '--max-response-bytes',
    );
}

function spent(size: number, unit: string, of: string, before: number, most: number): Excess {
  return new Excess(
    'too-large',
    `it has ${tellCount(size)} ${unit}, after ${tellCount(before)} in the ${of} responses before it; of one run at most ${tellCount(most)} are kept`,
    '--max-response-bytes',
  );
}
