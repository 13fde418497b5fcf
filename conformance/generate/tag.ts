import type { JsonObject } from '../../contract/json/value.ts';

/** The texts by which a run recognises its items: short and only letters, so rarely refused. */
export interface Tags {
  /** Begins every text of the run: six letters. */
  readonly tag: string;
  /** The tag with four letters that no other request of the run has. */
  readonly next: () => string;
}

/** Distance between the tags of neighbouring shards; coprime to 26. */
const shardStep = 4561;

/**
 * Creates the tags of a run from its start, so that runs do not share them, its seed, and its shard:
 * shards may start together. `shard`: its number from 1; 0 for a run that is not split.
 */
export function createTags(seed: number, startedAt: number, shard = 0): Tags {
  const number = Math.floor(startedAt / 100) * 31 + Math.abs(seed) + shard * shardStep;
  const tag = `Pc${renderLetters(number % 26 ** 4, 4)}`;
  let serial = 0;
  return { tag, next: () => `${tag}${renderLetters((serial += 1), 4)}` };
}

/** A tag of the usual length, to check whether a text with one is valid. */
export const sampleTag = 'Pcaaaaaaaa';

/** Two whole numbers that other runs do not use: one below 500,000, one above a billion. */
export function freshNumbers(tag: string): readonly [number, number] {
  const number = tagNumber(tag);
  return [number, 1_000_000_000 + number];
}

/** A whole number below 500,000 that neighbouring runs do not use. */
export function tagNumber(tag: string): number {
  let number = 0;
  for (let place = 2; place < 6; place += 1)
    number = number * 26 + ((tag.codePointAt(place) ?? 97) - 97);
  return 10_000 + number;
}

/** Whether a text of an item contains the tag of a run, so that the suite added it. */
export function isLeftover(item: JsonObject): boolean {
  return Object.values(item).some(
    (value) => typeof value === 'string' && /Pc[a-z]{8}/i.test(value),
  );
}

/** Matches every tag of a run anywhere in a text, also in lower case. */
export function tagPattern(tag: string): RegExp {
  return new RegExp(`${tag}[a-z]{4}`, 'gi');
}

/** A whole number in base 26, in lower case. */
function renderLetters(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 26))
    text = String.fromCodePoint(97 + (rest % 26)) + text;
  return text.padStart(width, 'a');
}
