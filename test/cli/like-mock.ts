import { readFile } from 'node:fs/promises';
import { type Comparison, type RunOptions, type RunReport } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, parseJson } from '../../contract/json/value.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { openMock } from './target.ts';

type Choices = Readonly<Record<string, string>>;

/** The key that may only read in a mock with scoped keys. */
const readOnlyKey = 'free_a-readonly';

/** Tests the mock with these choices, with the items of the independent service; once per choice. */
export async function createMockJudge(
  contract: Contract,
): Promise<(choices: Choices, options: RunOptions) => Promise<RunReport>> {
  const inventory = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
  const seed = isJsonObject(inventory) ? inventory : {};
  const judged = new Map<string, Promise<RunReport>>();
  const judge = async (choices: Choices, options: RunOptions): Promise<RunReport> => {
    const key = choices['key-issuance'] === 'scoped' ? readOnlyKey : 'demo-free';
    await using mock = await openMock(contract, { seed, choices }, key);
    return await mock.run(options);
  };
  return (choices, options) => {
    const name = JSON.stringify([choices, options]);
    const report = judged.get(name) ?? judge(choices, options);
    judged.set(name, report);
    return report;
  };
}

/** The ids of all differences: requirements, open questions, and other responses. */
export function differingIds({ failures, choices, responses }: Comparison): readonly string[] {
  return [
    ...failures.map(({ requirement }) => requirement.id),
    ...choices.map(({ question }) => question),
    ...new Set(
      responses.map(
        ({ requirement, member = 'status code' }) => `${requirement.operation}: ${member}`,
      ),
    ),
  ];
}
