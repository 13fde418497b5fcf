import type { JsonValue } from '../json/value.ts';
import type { Issue, SchemaNode } from '../schema/schema-node.ts';
import { SampleSchemas } from './sample-schemas.ts';
import { Sampler } from './sampler.ts';

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
  /** What it breaks; empty: it fits. */
  readonly issues: readonly Issue[];
}

/** Values made and judged in one attempt. */
const mostSteps = 9000;

/** A value of a schema, made from what the schema shows or says; the same for the same options. */
export function sampleSchema(schema: SchemaNode, options: SampleOptions): Sample {
  const { direction, members = direction === 'response' ? 'all' : 'required', seed } = options;
  const { wanted = new Map<string, JsonValue>() } = options;
  const attempts = [
    { members, seed },
    { members: members === 'all' ? 'required' : 'all', seed },
    { members, seed: `${seed ?? ''} 1` },
    { members, seed: `${seed ?? ''} 2` },
  ] as const;
  let best: Sample | undefined;
  let ended = 0;
  for (const attempt of attempts) {
    const schemas = new SampleSchemas(schema.registry, direction, mostSteps);
    const value = new Sampler(schemas, { ...attempt, wanted }).make(schema.pointers) ?? null;
    const issues = schema.validate(value, direction);
    if (issues.length === 0) return { value, issues };
    if (best === undefined || issues.length < best.issues.length) best = { value, issues };
    // Where two attempts came to no end, others would not either.
    if (schemas.stepsLeft < 0) ended += 1;
    if (ended === 2) break;
  }
  return best ?? { value: null, issues: [] };
}
