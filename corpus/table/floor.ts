import { type RateName, rateNames } from './summary.ts';

/** Rates that may only rise, by their names. */
export type Floor = Readonly<Partial<Record<RateName, number>>>;

export type Rates = ReadonlyMap<RateName, number>;

/** A sentence for each rate that fell. A rate that was not measured, or has no floor, is passed over. */
export function listFallen(floor: Floor, rates: Rates): readonly string[] {
  return rateNames.flatMap((name) => {
    const [least, rate] = [floor[name], rates.get(name)];
    if (least === undefined || rate === undefined || rate >= least) return [];
    return [`${name} fell below its floor: ${rate.toFixed(4)} instead of ${least}.`];
  });
}

/** The floor raised to what was measured, rounded down; nothing of it ever falls. */
export function raiseFloor(floor: Floor, rates: Rates): Floor {
  return Object.fromEntries(
    rateNames.flatMap((name) => {
      const rate = Math.floor((rates.get(name) ?? 0) * 1000) / 1000;
      const least = Math.max(floor[name] ?? 0, rate);
      return rates.has(name) || floor[name] !== undefined ? [[name, least]] : [];
    }),
  );
}
