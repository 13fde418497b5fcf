/** The tag of a run: short, of letters and digits only, always of the same length, and different for each run. */
export function createTag(seed: number, startedAt: number): string {
  return `pc${(startedAt % 2_176_782_336).toString(36).padStart(6, '0')}${(Math.abs(seed) % 1296).toString(36).padStart(2, '0')}`;
}
