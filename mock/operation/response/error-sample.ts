import { type JsonValue, isJsonArray, isJsonObject } from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';

/** What a refusal says. */
export interface ErrorFacts {
  readonly status: number;
  /** For machines. */
  readonly code: string;
  /** The reason phrase of the status. */
  readonly title: string;
  /** For people. */
  readonly message: string;
}

type Path = readonly (string | number)[];

interface Change {
  readonly path: Path;
  readonly value: JsonValue;
}

const texts: readonly (readonly [name: RegExp, text: (facts: ErrorFacts) => string])[] = [
  [/^(?:message|msg|detail|details|description|reason|text)$/i, ({ message }) => message],
  [
    /^(?:error|err|user)[-_]?(?:message|msg|description|detail|details|text)$/i,
    ({ message }) => message,
  ],
  [/^(?:title|summary)$/i, ({ title }) => title],
  [/^(?:http[-_]?)?(?:status|status[-_]?code)$/i, ({ status }) => `${status}`],
  [
    /^(?:code|error|errors|type|key|err)$|^(?:error|err)[-_]?(?:code|type|key|name)$/i,
    ({ code }) => code,
  ],
];

const statusName = /^(?:http[-_]?)?(?:status|code|status[-_]?code|error[-_]?code)$/i;

/** Members are looked for so deep. */
const mostDepth = 4;

/**
 * An error body that fits a schema: what the document shows, else a sample, in which members that
 * are named as such hold what a refusal says, wherever the schema takes it.
 */
export function compileErrorSample(
  schema: SchemaNode | undefined,
  shown: JsonValue | undefined,
): (facts: ErrorFacts) => JsonValue {
  let base: JsonValue | undefined = shown;
  return (facts) => {
    base ??= schema === undefined ? {} : sampleSchema(schema, { direction: 'response' }).value;
    const changes = sayMessage([...listChanges(base, facts, [])], facts);
    const whole = changes.reduce(applyChange, base);
    if (schema === undefined || schema.validate(whole).length === 0) return whole;
    const worst = schema.validate(base).length;
    return changes.reduce((value, change) => {
      const changed = applyChange(value, change);
      return schema.validate(changed).length <= worst ? changed : value;
    }, base);
  };
}

/** Where no member is for the message alone, one that names the error has it. */
function sayMessage(changes: readonly Change[], { message }: ErrorFacts): readonly Change[] {
  if (changes.some(({ value }) => value === message)) return changes;
  return changes.map((change) =>
    typeof change.value === 'string' && /^(?:errors?|err|title)$/i.test(nameOf(change.path))
      ? { ...change, value: message }
      : change,
  );
}

/** The member that a value is in, over the items of an array. */
function nameOf(path: Path): string {
  return path.findLast((part) => typeof part === 'string') ?? 'message';
}

function* listChanges(value: JsonValue, facts: ErrorFacts, path: Path): Generator<Change> {
  const name = nameOf(path);
  if (typeof value === 'string') {
    const found = texts.find(([form]) => form.test(name));
    if (found !== undefined) yield { path, value: found[1](facts) };
  } else if (typeof value === 'number' && statusName.test(name)) {
    yield { path, value: facts.status };
  } else if (path.length < mostDepth && typeof value === 'object' && value !== null) {
    const members = isJsonArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
    for (const [part, member] of members)
      yield* listChanges(member ?? null, facts, [...path, part]);
  }
}

function applyChange(value: JsonValue, { path: [part, ...rest], value: next }: Change): JsonValue {
  if (part === undefined) return next;
  const inner = { path: rest, value: next };
  if (isJsonArray(value))
    return value.map((item, index) => (index === part ? applyChange(item, inner) : item));
  return isJsonObject(value)
    ? { ...value, [part]: applyChange(value[part] ?? null, inner) }
    : value;
}
