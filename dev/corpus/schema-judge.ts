import { Script } from 'node:vm';
import { type Direction, DocumentSchemas } from '../../selftest/generated/document-schemas.ts';
import type { PublicDocument } from './document.ts';

export interface Fit {
  /** `unknown` if the schema does not compile, or takes too long. */
  readonly kind: 'valid' | 'invalid' | 'unknown';
  /** What is wrong with an invalid value. */
  readonly fault?: string;
}

/** Validates only with Ajv, against the unmodified document, independently of the contract. */
export class SchemaJudge {
  readonly #schemas: DocumentSchemas;

  constructor(document: PublicDocument, direction: Direction) {
    const { root, dialect } = document;
    const dereference = (node: unknown): unknown => document.dereference(node);
    this.#schemas = new DocumentSchemas(
      { root, hidesSiblings: dialect === '3.0', dereference },
      direction,
    );
  }

  /** Whether a value fits the schema at a pointer. */
  judge(pointer: string, value: unknown): Fit {
    const validate = this.#schemas.at(pointer);
    if (validate === undefined) return { kind: 'unknown' };
    try {
      if (bounded(() => validate(value))) return { kind: 'valid' };
    } catch {
      return { kind: 'unknown' };
    }
    const { instancePath = '', message = 'is invalid' } = validate.errors?.[0] ?? {};
    return { kind: 'invalid', fault: `${instancePath} ${message}` };
  }
}

const callName = Symbol.for('petstore-contract.corpus.bounded');
const script = new Script(`globalThis[Symbol.for('petstore-contract.corpus.bounded')]()`);

/** Calls a function for at most a second: patterns and generators may never end. Then it throws. */
export function bounded<Value>(call: () => Value): Value {
  Reflect.set(globalThis, callName, call);
  const value: Value = script.runInThisContext({ timeout: 1000 });
  return value;
}
