import type { JsonValue } from '../json/value.ts';
import { loadSchemaEngine } from '../schema/engine/engine.ts';
import type { Issue, SchemaNode } from '../schema/schema-node.ts';
import { withoutReadOnly } from './read-only.ts';
import { createDraw } from './random.ts';
import { openWorkshop } from './workshop.ts';

export interface SampleOptions {
  /**
   * `request`: members that are readOnly are left out, required ones too (OpenAPI 3.1, Schema
   * Object). `response`: members that are writeOnly are left out unless they are required.
   */
  readonly direction: 'request' | 'response';
  /** Another seed gives another value where the schema allows. Default: the plainest value. */
  readonly seed?: string;
  /** Optional members too, or required ones alone. Default: `all` of a response. */
  readonly members?: 'all' | 'required';
  /** Values that members at the top have by their name, where they fit. */
  readonly wanted?: ReadonlyMap<string, JsonValue>;
}

export interface Sample {
  /** The best that could be made. */
  readonly value: JsonValue;
  /** What it breaks; empty: it fits. Of a request, with the readOnly members still in it. */
  readonly issues: readonly Issue[];
}

interface Attempt {
  readonly members: 'all' | 'required';
  readonly isCareful: boolean;
  readonly suffix?: string;
}

/** Values that one sample may have beyond those required. */
const ampleAllowance = 600;

/** A value of a schema, made from what the schema shows or says; the same for the same options. */
export function sampleSchema(schema: SchemaNode, options: SampleOptions): Sample {
  const members = options.members ?? (options.direction === 'response' ? 'all' : 'required');
  const other = members === 'all' ? 'required' : 'all';
  const attempts: readonly Attempt[] = [
    { members, isCareful: false },
    { members, isCareful: true },
    { members: other, isCareful: true },
    ...['1', '2', '3'].map((suffix) => ({ members, isCareful: true, suffix })),
  ];
  let best: Sample | undefined;
  for (const attempt of attempts) {
    const sample = attemptSample(schema, options, attempt);
    if (best === undefined || sample.issues.length < best.issues.length) best = sample;
    if (best.issues.length === 0) break;
  }
  const { value, issues } = best ?? { value: null, issues: [] };
  return {
    value:
      options.direction === 'request'
        ? withoutReadOnly(value, rootPointers(schema), schema.lookup)
        : value,
    issues,
  };
}

function attemptSample(
  schema: SchemaNode,
  { direction, seed, wanted = new Map() }: SampleOptions,
  { members, isCareful, suffix }: Attempt,
): Sample {
  const key =
    seed === undefined && suffix === undefined ? undefined : `${seed ?? ''}${suffix ?? ''}`;
  const workshop = openWorkshop({
    lookup: schema.lookup,
    formats: loadSchemaEngine().stringFormats,
    direction,
    members,
    wanted,
    draw: ({ pointer, variant }) =>
      key === undefined && variant < 2
        ? undefined
        : createDraw(`${key ?? ''} ${pointer} ${variant}`),
    isCareful,
    steps: isCareful ? 20_000 : 4000,
  });
  const built = workshop.build(rootPointers(schema), {
    pointer: '',
    name: '',
    allowance: ampleAllowance,
    variant: 0,
    around: [],
  });
  const value = built?.value ?? null;
  return { value, issues: judge(schema, value) };
}

/** An intersection has no place of its own: its schemas do. */
function rootPointers({ pointer, schema, lookup }: SchemaNode): readonly string[] {
  if (typeof schema === 'boolean' || lookup.node(pointer).schema === schema) return [pointer];
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  return parts.map((part) => lookup.target(String(part.$ref)));
}

/** A schema that does not compile has no word on it. */
function judge(schema: SchemaNode, value: JsonValue): readonly Issue[] {
  try {
    return schema.validate(value);
  } catch {
    return [];
  }
}
