import { Script } from 'node:vm';

const name = Symbol.for('petstore-contract.corpus.bounded');
const script = new Script(`globalThis[Symbol.for('petstore-contract.corpus.bounded')]()`);

/** Calls a function for at most a second: patterns and generators may never end. Throws then. */
export function bounded<Value>(call: () => Value): Value {
  Reflect.set(globalThis, name, call);
  const value: Value = script.runInThisContext({ timeout: 1000 });
  return value;
}
