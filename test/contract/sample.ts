import { ContractError } from '../../contract/source/diagnostic.ts';
import { renderJson, type JsonObject } from '../../contract/json/value.ts';
import { loadContract, type ContractSource, type LoadOptions } from '../../contract/load.ts';
import type { Contract } from '../../contract/contract.ts';

/** For tests: the text of a small valid document with the given members. */
export function sampleText(members: JsonObject): string {
  return renderJson({
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1.0.0' },
    paths: {},
    ...members,
  });
}

/** For tests: loads a small document made of the given members, strictly. */
export async function loadSample(members: JsonObject, options?: LoadOptions): Promise<Contract> {
  return loadContract({ text: sampleText(members), name: 'sample' }, { strict: true, ...options });
}

/** For tests: why a document is refused when it is read strictly, a line for each issue; empty if it is not. */
export async function refusalOf(
  source: ContractSource,
  options?: LoadOptions,
): Promise<readonly string[]> {
  try {
    await loadContract(source, { strict: true, ...options });
    return [];
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    return cause.diagnostics.map(({ pointer, message }) => `${pointer}: ${message}`);
  }
}

/** For tests: the path of a file under `fixtures/documents/`. */
export function fixtureFile(name: string): string {
  return `${import.meta.dirname}/../../fixtures/documents/${name}`;
}
