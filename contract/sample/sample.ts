import { documentLimits } from '../limits/index.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import type { Issue, SchemaNode } from '../schema/schema-node.ts';
import { withoutReadOnly } from './read-only.ts';
import { createDraw } from './scalar/random.ts';
import { createSchemaView, type SchemaView } from './view/schema-view.ts';
import { openWorkshop, type SampleBudget } from './workshop.ts';

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

/** Values made in the first attempt, and in all others together. */
const mostSteps = 3000;

/** A value of a schema, made from what the schema shows or says; the same for the same options. */
export function sampleSchema(schema: SchemaNode, options: SampleOptions): Sample {
  const { direction, members = direction === 'response' ? 'all' : 'required' } = options;
  const view = createSchemaView(schema.lookup);
  const pointers = rootPointers(schema);
  const finish = (value: JsonValue): JsonValue =>
    direction === 'request' ? withoutReadOnly(value, pointers, view) : value;
  let best: Sample | undefined;
  let budget = createBudget();
  for (const attempt of listAttempts(members)) {
    if (budget.left < 0) break;
    const value = attemptValue(pointers, view, options, attempt, budget);
    if (!attempt.isCareful) budget = createBudget();
    const issues = judge(schema, value);
    if (issues?.length === 0) return { value: finish(value), issues };
    // Where the whole cannot be judged, its parts are.
    if (issues === undefined && attempt.isCareful) return { value: finish(value), issues: [] };
    if (issues !== undefined && (best === undefined || issues.length < best.issues.length))
      best = { value, issues };
  }
  const { value, issues } = best ?? { value: null, issues: [] };
  return { value: finish(value), issues };
}

function createBudget(): SampleBudget {
  return { left: mostSteps, met: new Set(), characters: documentLimits.sampleTexts.most };
}

function listAttempts(members: 'all' | 'required'): readonly Attempt[] {
  const other = members === 'all' ? 'required' : 'all';
  return [
    { members, isCareful: false },
    { members, isCareful: true },
    { members: other, isCareful: true },
    ...['1', '2'].map((suffix) => ({ members, isCareful: true, suffix })),
  ];
}

function attemptValue(
  pointers: readonly string[],
  view: SchemaView,
  { direction, seed, wanted = new Map() }: SampleOptions,
  { members, isCareful, suffix = '' }: Attempt,
  budget: SampleBudget,
): JsonValue {
  const isPlain = seed === undefined && suffix === '';
  const workshop = openWorkshop({
    view,
    direction,
    members,
    wanted,
    draw: ({ pointer, variant }) =>
      isPlain && variant < 2
        ? undefined
        : createDraw(`${seed ?? ''} ${suffix} ${pointer} ${variant}`),
    isCareful,
    budget,
  });
  const place = { pointer: '', name: '', allowance: ampleAllowance, variant: 0, around: [] };
  return workshop.build(pointers, place)?.value ?? null;
}

/** An intersection has no place of its own: its schemas do. */
function rootPointers({ pointer, schema, lookup }: SchemaNode): readonly string[] {
  if (typeof schema === 'boolean' || lookup.node(pointer).schema === schema) return [pointer];
  const parts = isJsonArray(schema.allOf) ? schema.allOf : [];
  return parts.flatMap((part) =>
    isJsonObject(part) && typeof part.$ref === 'string' ? [lookup.target(part.$ref)] : [],
  );
}

/** Undefined where the schema does not compile. */
function judge(schema: SchemaNode, value: JsonValue): readonly Issue[] | undefined {
  try {
    return schema.validate(value);
  } catch {
    return undefined;
  }
}
