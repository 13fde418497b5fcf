import type { Contract, Requirement } from '../../contract/index.ts';
import type { Mutant } from '../../selftest/index.ts';

/**
 * docs/requirements.md: every requirement with its sentence, its place, and the mutants
 * that prove its check.
 */
export function renderRequirementsDocument(contract: Contract, mutants: readonly Mutant[]): string {
  const proofs = Map.groupBy(mutants, ({ breaks }) => breaks[0]);
  const beside = Map.groupBy(
    mutants.flatMap(({ breaks, id }) =>
      breaks.slice(1).map((requirement) => ({ requirement, id })),
    ),
    ({ requirement }) => requirement,
  );
  const operations = [...new Set(contract.requirements.map(({ operation }) => operation))];
  const sections = operations.map((operation) => {
    const rows = contract.requirements
      .filter((each) => each.operation === operation)
      .map((each) =>
        renderRow(each, proofs.get(each.id) ?? [], beside.get(each.id)?.map(({ id }) => id) ?? []),
      );
    return [
      `## ${operation === '*' ? 'The service as a whole' : operation}`,
      '',
      head,
      ...rows,
      '',
    ].join('\n');
  });
  return `${intro(contract, mutants)}\n\n${sections.join('\n')}`;
}

const head =
  '| id | level | promise | place in openapi.yaml | section of the interface | mutants |\n| --- | --- | --- | --- | --- | --- |';

function intro(contract: Contract, mutants: readonly Mutant[]): string {
  const judged = contract.requirements.filter(({ level }) => level !== 'open');
  const open = contract.requirements.length - judged.length;
  return [
    '# Requirements',
    '',
    'Made by `npm run requirements` from openapi.yaml and the mutants in `selftest/mutants/`; do not edit.',
    '',
    `${contract.title} ${contract.version} has ${judged.length} requirements that a target can keep or break, and ${open} open questions, whose responses are recorded and never failed. ${mutants.length} mutants prove the checks. A mutant in brackets breaks the requirement beside another one that is named first..`,
  ].join('\n');
}

function renderRow(
  { id, level, sentence, pointer, section }: Requirement,
  proofs: readonly Mutant[],
  beside: readonly string[],
): string {
  const own = proofs.map((mutant) => mutant.id);
  const shown = [...own, ...beside.map((each) => `(${each})`)];
  const more = shown.length > 4 ? [...shown.slice(0, 4), `and ${shown.length - 4} more`] : shown;
  return `| \`${id}\` | ${level} | ${cell(sentence)} | \`${pointer}\` | ${cell(section)} | ${more.join(', ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
