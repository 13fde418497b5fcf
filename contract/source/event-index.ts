import type * as JsYaml from 'js-yaml';

type Yaml = Pick<typeof JsYaml, 'EVENT_ID' | 'SCALAR_STYLE' | 'getScalarValue' | 'parseEvents'>;

interface Entry {
  /** Offset of its name, or of the item itself. */
  readonly start: number;
  /** Index of the event that begins its value. */
  readonly value: number;
}

/**
 * Gives the offset in a plain YAML text of a member's name or an item, or the nearest above it. The
 * text is read at once.
 */
export function createEventIndex(text: string, yaml: Yaml): (tokens: readonly string[]) => number {
  const { ALIAS, MAPPING, POP, SCALAR } = yaml.EVENT_ID;
  const { DOUBLE_QUOTED, PLAIN, SINGLE_QUOTED } = yaml.SCALAR_STYLE;
  const events = yaml.parseEvents(text, {});
  const targets = new Map<number, number>();
  const ends = listEnds();
  const known = new Map<number, ReadonlyMap<string, Entry>>();

  return (tokens) => {
    let value = 1;
    let offset = startOf(value) ?? 0;
    for (const token of tokens) {
      const entries = known.get(value) ?? listEntries(value);
      known.set(value, entries);
      const found = entries.get(token);
      if (found === undefined) return offset;
      offset = found.start;
      value = targets.get(found.value) ?? found.value;
    }
    return offset;
  };

  /**
   * The index of the event that ends a document, a sequence or a mapping, by that of its start; and
   * that of the event an alias stands for in `targets`.
   */
  function listEnds(): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    const open: number[] = [];
    const anchors = new Map<string, number>();
    for (const [index, event] of events.entries()) {
      const { type } = event;
      if ('anchorStart' in event && event.anchorStart >= 0) {
        const name = text.slice(event.anchorStart, event.anchorEnd);
        if (type === ALIAS) targets.set(index, anchors.get(name) ?? index);
        else anchors.set(name, index);
      }
      if (type === POP) found.set(open.pop() ?? 0, index);
      else if (type !== SCALAR && type !== ALIAS) open.push(index);
    }
    return found;
  }

  function listEntries(holder: number): ReadonlyMap<string, Entry> {
    const entries = new Map<string, Entry>();
    const isMapping = events[holder]?.type === MAPPING;
    const end = ends.get(holder) ?? 0;
    for (let at = holder + 1; at < end;) {
      const value = isMapping ? at + 1 : at;
      const name = isMapping ? nameAt(at) : String(entries.size);
      entries.set(name, { start: startOf(at) ?? startOf(holder) ?? 0, value });
      at = (ends.get(value) ?? value) + 1;
    }
    return entries;
  }

  function nameAt(index: number): string {
    const event = events[index];
    return event?.type === SCALAR ? yaml.getScalarValue(text, event) : '';
  }

  function startOf(index: number): number | undefined {
    const event = events[index];
    if (event === undefined) return undefined;
    if ('start' in event) return event.start;
    if (event.type === ALIAS) return event.anchorStart - 1;
    if (event.type !== SCALAR || event.valueStart < 0) return undefined;
    const { style, valueStart } = event;
    if (style === PLAIN) return valueStart;
    if (style === SINGLE_QUOTED || style === DOUBLE_QUOTED) return valueStart - 1;
    return Math.max(text.lastIndexOf('|', valueStart), text.lastIndexOf('>', valueStart));
  }
}
