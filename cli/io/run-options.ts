import type { RunOptions } from '../../conformance/index.ts';
import { type Contract, type JsonValue, parseJson } from '../../contract/index.ts';
import type { RunArguments } from './run-arguments.ts';

/** The options of a run that every command has. */
export function listRunOptions(contract: Contract, wanted: RunArguments): RunOptions {
  return {
    seed: wanted.seed,
    readOnly: wanted.isReadOnly,
    exhaust: wanted.isExhausting,
    timeout: wanted.timeout,
    verifyTls: !wanted.isInsecure,
    only: wanted.only,
    skip: wanted.skip,
    ...(wanted.requests === undefined ? {} : { requests: wanted.requests }),
    ...(wanted.categoryId === undefined
      ? {}
      : { references: readReferences(contract, wanted.categoryId) }),
  };
}

/** The record that is known to exist, for every member that refers to one. */
function readReferences(contract: Contract, id: string): ReadonlyMap<string, JsonValue> {
  const value: JsonValue = /^-?\d+$/.test(id) ? parseJson(id) : id;
  const members = contract.openQuestions
    .filter(({ kind }) => kind === 'reference')
    .map(({ at }) => at.split('/').at(-1) ?? '');
  return new Map(members.map((member) => [member, value]));
}
