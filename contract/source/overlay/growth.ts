import { documentLimits } from '../../limits/index.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/** What a value takes of what a document may have. */
export interface Size {
  /** Itself, and the values within it. */
  readonly values: number;
  /** Characters of its texts and names. */
  readonly characters: number;
  /** Lists and objects within each other, itself included; 0 for any other. */
  readonly levels: number;
}

export function measureSize(root: JsonValue): Size {
  let [values, characters, levels] = [0, 0, 0];
  const pending: (readonly [JsonValue, number])[] = [[root, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (!isJsonArray(value) && !isJsonObject(value)) continue;
    levels = Math.max(levels, depth + 1);
    if (isJsonArray(value)) for (const item of value) pending.push([item, depth + 1]);
    else
      for (const [name, member] of Object.entries(value)) {
        characters += name.length;
        if (member !== undefined) pending.push([member, depth + 1]);
      }
  }
  return { values, characters, levels };
}

/** Keeps count of what overlays add to a document. */
export interface Growth {
  /**
   * Counts what is added to so many values, the deepest of which has `depth` holders; why it cannot
   * be, where it would be too much: then nothing is counted.
   */
  readonly add: (size: Size, targets: number, depth: number) => string | undefined;
}

export function createGrowth(): Growth {
  let [values, characters] = [0, 0];
  const { overlayValues, overlayText, depth: levels } = documentLimits;
  return {
    add(size, targets, depth) {
      const more = values + size.values * targets;
      const text = characters + size.characters * targets;
      const deepest = depth + size.levels;
      if (more > overlayValues.most)
        return `would add ${more} values, and ${overlayValues.most} are the most`;
      if (text > overlayText.most)
        return `would add ${text} characters, and ${overlayText.most} are the most`;
      if (deepest > levels.most)
        return `would nest values ${deepest} levels deep, and ${levels.most} are the most`;
      [values, characters] = [more, text];
      return undefined;
    },
  };
}
