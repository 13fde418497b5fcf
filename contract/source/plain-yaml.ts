import { documentLimits } from '../limits/index.ts';
import { isJsonObject, mapMembers, type JsonValue } from '../json/value.ts';
import { createEventIndex } from './event-index.ts';
import { readPlainScalar } from './scalar.ts';
import { createOffsetLocator, type TextLocator } from './text-locator.ts';
import type * as JsYaml from 'js-yaml';

/** What a plain YAML text says. */
export interface PlainYaml {
  readonly value: JsonValue;
  readonly locate: TextLocator;
}

/**
 * Reads a YAML text that is sound and plain: one document without directives and tags, whose
 * anchors are on values, with names of letters, digits, `_`, `.` and `-`. Undefined for any other,
 * which may be sound as well, and where aliases make more of it than a document may have. It takes
 * a quarter of the time that the parser with all of YAML takes.
 */
export async function readPlainYaml(text: string): Promise<PlainYaml | undefined> {
  const yaml = await import('js-yaml');
  try {
    const value = createReader(text, yaml)();
    return { value, locate: createOffsetLocator(text, () => createEventIndex(text, yaml)) };
  } catch {
    return undefined;
  }
}

/** Throws an Error where the text is not plain. */
function createReader(text: string, yaml: typeof JsYaml): () => JsonValue {
  const { ALIAS, DOCUMENT, MAPPING, POP, SCALAR, SEQUENCE } = yaml.EVENT_ID;
  const { PLAIN } = yaml.SCALAR_STYLE;
  const events = yaml.parseEvents(text, {});
  const anchors = new Map<string, JsonValue>();
  const budget = { values: documentLimits.values.most, characters: documentLimits.bytes.most };
  let depth = 0;
  let next = 0;

  return () => {
    const first = events[next++];
    if (first?.type !== DOCUMENT || first.directives.length > 0) throw notPlain();
    const value = readValue();
    if (events[next++]?.type !== POP || next < events.length) throw notPlain();
    return value;
  };

  function readValue(): JsonValue {
    const event = events[next++];
    if (event?.type === ALIAS) return copyOf(event);
    if (event === undefined || !('tagStart' in event) || event.tagStart >= 0) throw notPlain();
    if (event.anchorStart < 0) return readContent(event);
    const name = anchorName(event);
    // An alias within the value would be the value itself, whatever the name stood for before.
    anchors.delete(name);
    const value = readContent(event);
    // What is within has its anchor later in the text.
    if (!anchors.has(name)) anchors.set(name, value);
    return value;
  }

  function readContent(event: JsYaml.Event): JsonValue {
    budget.values -= 1;
    if (event.type === SEQUENCE) return readSequence();
    if (event.type === MAPPING) return readMapping();
    if (event.type !== SCALAR) throw notPlain();
    const value = yaml.getScalarValue(text, event);
    budget.characters -= value.length;
    return event.style === PLAIN ? readPlainScalar(value) : value;
  }

  function anchorName(event: { readonly anchorStart: number; readonly anchorEnd: number }): string {
    const name = text.slice(event.anchorStart, event.anchorEnd);
    if (!/^[\w.-]+$/.test(name)) throw notPlain();
    return name;
  }

  function copyOf(alias: JsYaml.AliasEvent): JsonValue {
    const value = anchors.get(anchorName(alias));
    if (value === undefined) throw notPlain();
    return copy(value, depth, budget);
  }

  function readSequence(): JsonValue {
    const items: JsonValue[] = [];
    depth += 1;
    while (events[next]?.type !== POP) items.push(readValue());
    depth -= 1;
    next += 1;
    return items;
  }

  function readMapping(): JsonValue {
    const members: Record<string, JsonValue> = {};
    const merged = new Set<string>();
    let isMerging = false;
    depth += 1;
    while (events[next]?.type !== POP) {
      const name = readName();
      if (name === '<<') {
        if (isMerging) throw notPlain();
        isMerging = true;
        for (const [key, value = null] of mergedMembers(readValue()))
          if (!Object.hasOwn(members, key)) {
            members[key] = value;
            merged.add(key);
          }
        continue;
      }
      // A member that is there twice is told of with its place.
      if (Object.hasOwn(members, name) && !merged.delete(name)) throw notPlain();
      members[name] = readValue();
    }
    depth -= 1;
    next += 1;
    return members;
  }

  function readName(): string {
    const event = events[next++];
    if (event?.type !== SCALAR || event.tagStart >= 0 || event.anchorStart >= 0) throw notPlain();
    const name = yaml.getScalarValue(text, event);
    if (name === '' || name === '__proto__') throw notPlain();
    if (name === '<<' && event.style !== PLAIN) throw notPlain();
    return name;
  }
}

/** What `<<` adds to an object: the members of an object, or of several, the first before others. */
function mergedMembers(value: JsonValue): readonly [string, JsonValue | undefined][] {
  const sources = Array.isArray(value) ? value : [value];
  return sources.flatMap((source) => {
    if (!isJsonObject(source)) throw notPlain();
    return Object.entries(source);
  });
}

interface Budget {
  values: number;
  characters: number;
}

/** Throws an Error where the copies are beyond the budget or a document may not be so deep. */
function copy(value: JsonValue, depth: number, budget: Budget): JsonValue {
  budget.values -= 1;
  budget.characters -= typeof value === 'string' ? value.length : 0;
  const isDeep = depth > documentLimits.depth.most;
  if (budget.values < 0 || budget.characters < 0 || isDeep) throw notPlain();
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, budget));
  return isJsonObject(value)
    ? mapMembers(value, (item = null) => copy(item, depth + 1, budget))
    : value;
}

function notPlain(): Error {
  return new Error('the text is not plain');
}
