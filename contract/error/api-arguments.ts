import { PetstoreError } from './petstore-error.ts';
import { explainUnknown } from './unknown-name.ts';

/** The names of the options of a function, checked against its type: `satisfies OptionNames<Options>`. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Rejects unknown options of a public function, because JavaScript callers have no compiler.
 * @throws {PetstoreError} with code `argument` for anything but an object, and for an unknown name
 */
export function refuseUnknownOptions(
  call: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): void {
  if (typeof options !== 'object' || options === null)
    throw new PetstoreError(
      'argument',
      `${call} takes an object of options, not ${nameOf(options)}.`,
    );
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined)
    throw new PetstoreError(
      'argument',
      `${call}: ${explainUnknown('option', unknown, Object.keys(names))}`,
    );
}

/**
 * Rejects anything but a contract, including a promise of one.
 * @throws {PetstoreError} with code `argument`
 */
export function refuseNoContract(call: string, contract: unknown): void {
  if (typeof contract === 'object' && contract !== null && 'openQuestions' in contract) return;
  const given = contract instanceof Promise ? 'a promise' : nameOf(contract);
  throw new PetstoreError('argument', `${call} takes a contract, not ${given}.`, {
    remedy: `Load one first: ${call}(await loadContract('openapi.yaml')).`,
  });
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 100))}`;
  return value === null ? 'null' : `a value of type ${typeof value}`;
}
