import { JSONSchemaFaker } from 'json-schema-faker';
import { sample } from 'openapi-sampler';
import type { Place, PublicDocument } from './document.ts';
import { isRecord, type JsonRecord, listOf, recordOf } from './json.ts';
import { bounded, type SchemaJudge } from './schema-judge.ts';

/** A generated value for a parameter or a body. */
export interface MadeValue {
  readonly value: unknown;
  /** False if no generated value fits the schema. */
  readonly isValid: boolean;
}

const largestText = 200_000;
/** A number that JSON.stringify rounds: -2^63 becomes -9223372036854776000. */
const unsafeNumber = /(?:^|[:[,])-?\d{17}/;

/** The document for which values are generated, and the judge of what is sent. */
export interface ValueSource {
  readonly document: PublicDocument;
  readonly requestJudge: SchemaJudge;
}

/**
 * Generates a value for a parameter or media type with a schema, examples or neither: the document's own
 * examples first, then those of two generators.
 */
export function makeValue(source: ValueSource, holder: Place): MadeValue {
  const { document } = source;
  const node = recordOf(holder.node);
  if (!isRecord(node['schema'])) {
    const [example = 'x'] = listExamples(document, node);
    return { value: example, isValid: true };
  }
  const schema = document.below(holder, 'schema');
  // A broken reference, as in a text that no parser read to its end.
  if (schema.node === undefined) return { value: 'x', isValid: false };
  let first: MadeValue | undefined;
  for (const candidate of listCandidates(document, node, recordOf(schema.node))) {
    const value = attempt(candidate);
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    if (text.length > largestText || unsafeNumber.test(text)) continue;
    if (fits(source, schema, value)) return { value, isValid: true };
    first ??= { value, isValid: false };
  }
  return first ?? { value: 'x', isValid: false };
}

/** Also true if the schema is unusable. */
export function fits({ requestJudge }: ValueSource, schema: Place, value: unknown): boolean {
  return requestJudge.judge(schema.pointer, value).kind !== 'invalid';
}

function listCandidates(
  document: PublicDocument,
  holder: JsonRecord,
  schema: JsonRecord,
): readonly (() => unknown)[] {
  const given = [holder, schema].flatMap((node) => listExamples(document, node));
  const inline = (): JsonRecord => inlineSchema(document, schema);
  const options = { skipReadOnly: true, quiet: true };
  return [
    ...[...given, schema['default']].map((value) => () => value),
    () => sample(schema, options, document.root),
    () => sample(inline(), options),
    () => sample(schema, { ...options, skipNonRequired: true }, document.root),
    () => fake(inline(), 7),
    () => fake(inline(), 8),
  ];
}

/** `example`, and `examples` of a schema (a list) or of a parameter (a map of objects). */
function listExamples(
  document: PublicDocument,
  { example, examples }: JsonRecord,
): readonly unknown[] {
  const named = Object.values(recordOf(examples)).map(
    (one) => recordOf(document.dereference(one))['value'],
  );
  return [example, ...listOf(examples), ...named].filter((value) => value !== undefined);
}

/** The same value for the same schema, so that requests for items of one parent name the same parent. */
function fake(schema: JsonRecord, seed: number): unknown {
  let state = seed;
  // A linear congruential generator: the same numbers in every run.
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x7f_ff_ff_ff;
  };
  JSONSchemaFaker.option({
    random,
    useExamplesValue: false,
    failOnInvalidTypes: false,
    ignoreMissingRefs: true,
    maxItems: 2,
    maxLength: 40,
  });
  return JSONSchemaFaker.generate(schema);
}

function attempt(make: () => unknown): unknown {
  try {
    return bounded(make);
  } catch {
    return undefined;
  }
}

const maxNodes = 8000;
const deepestReference = 6;
const annotations = new Set(['example', 'examples', 'xml', 'externalDocs', 'discriminator']);

/**
 * A schema with its references replaced by their targets, for generators that do not follow them; below six
 * of them anything is allowed. Throws if it becomes too large, or requires thousands of values.
 */
function inlineSchema(document: PublicDocument, schema: JsonRecord): JsonRecord {
  let nodes = 0;
  const inline = (node: unknown, depth: number): unknown => {
    nodes += 1;
    if (nodes > maxNodes) throw new Error('The schema is too large.');
    if (Array.isArray(node)) return node.map((one) => inline(one, depth));
    if (!isRecord(node)) return node;
    if (typeof node['$ref'] === 'string')
      return depth > deepestReference ? {} : inline(document.dereference(node) ?? {}, depth + 1);
    if (Math.max(Number(node['minItems'] ?? 0), Number(node['minLength'] ?? 0)) > 1000)
      throw new Error('The schema asks for values that are too large.');
    const members = Object.entries(node).filter(([name]) => !annotations.has(name));
    return Object.fromEntries(members.map(([name, value]) => [name, inline(value, depth)]));
  };
  return recordOf(inline(schema, 0));
}
