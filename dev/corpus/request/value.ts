import { JSONSchemaFaker } from 'json-schema-faker';
import { sample } from 'openapi-sampler';
import { bounded } from '../document/bounded.ts';
import { isRecord, type JsonRecord, listOf, recordOf } from '../document/json.ts';
import { dereference, type Place, placeBelow } from '../document/place.ts';
import type { PublicDocument } from '../document/read.ts';
import type { SchemaJudge } from '../document/schema-judge.ts';
import { inlineSchema } from './inline-schema.ts';

/** A value made for a parameter or a body. */
export interface MadeValue {
  readonly value: unknown;
  /** False where nothing that was made fits the schema. */
  readonly isLawful: boolean;
}

const largestText = 200_000;

/** Makes values: the document's own examples first, then what two generators make. */
export class ValueMaker {
  readonly #root: JsonRecord;
  readonly #judge: SchemaJudge;

  /** @param judge of requests */
  constructor({ root }: PublicDocument, judge: SchemaJudge) {
    this.#root = root;
    this.#judge = judge;
    JSONSchemaFaker.option({
      useExamplesValue: false,
      failOnInvalidTypes: false,
      ignoreMissingRefs: true,
      maxItems: 2,
      maxLength: 40,
    });
  }

  /** The value of a parameter or media type, which holds a schema, or examples, or nothing. */
  make(holder: Place): MadeValue {
    const node = recordOf(holder.node);
    if (!isRecord(node['schema'])) {
      const [example = 'x'] = this.#examplesOf(node);
      return { value: example, isLawful: true };
    }
    const schema = placeBelow(this.#root, holder, 'schema');
    const candidates = this.#candidates(node, recordOf(schema.node));
    let first: MadeValue | undefined;
    for (const candidate of candidates) {
      const value = attempt(candidate);
      if (value === undefined || isLarge(value)) continue;
      if (this.fits(schema, value)) return { value, isLawful: true };
      first ??= { value, isLawful: false };
    }
    return first ?? { value: 'x', isLawful: false };
  }

  /** True also where the schema cannot be judged by. */
  fits(schema: Place, value: unknown): boolean {
    return this.#judge.judge(schema.pointer, value).kind !== 'invalid';
  }

  #candidates(holder: JsonRecord, schema: JsonRecord): readonly (() => unknown)[] {
    const given = [...this.#examplesOf(holder), ...this.#examplesOf(schema), schema['default']];
    const inline = (): JsonRecord => inlineSchema(this.#root, schema);
    const options = { skipReadOnly: true, quiet: true };
    return [
      ...given.map((value) => () => value),
      () => sample(schema, options, this.#root),
      () => sample(inline(), options),
      () => sample(schema, { ...options, skipNonRequired: true }, this.#root),
      () => fake(inline(), 7),
      () => fake(inline(), 8),
    ];
  }

  /** `example`, and `examples` of a schema (a list) or of a parameter (a map of objects). */
  #examplesOf({ example, examples }: JsonRecord): readonly unknown[] {
    const named = Object.values(recordOf(examples)).map(
      (one) => recordOf(dereference(this.#root, one))['value'],
    );
    return [example, ...listOf(examples), ...named].filter((value) => value !== undefined);
  }
}

/** The same value for the same schema, so that requests of like parents name the same one. */
function fake(schema: JsonRecord, seed: number): unknown {
  JSONSchemaFaker.option({ random: seededRandom(seed) });
  return JSONSchemaFaker.generate(schema);
}

function attempt(make: () => unknown): unknown {
  try {
    return bounded(make);
  } catch {
    return undefined;
  }
}

function isLarge(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length > largestText;
}

/** The same numbers in every run (a linear congruential generator). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x7f_ff_ff_ff;
  };
}
