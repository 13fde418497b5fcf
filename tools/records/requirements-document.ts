import type { Contract, Obligation } from '../../contract/index.ts';
import type { Fault } from '../../selftest/index.ts';

/**
 * docs/obligations.md: every obligation with its sentence, its place, and the deliberate faults
 * that prove its check.
 */
export function renderObligationsDocument(contract: Contract, faults: readonly Fault[]): string {
  const proofs = Map.groupBy(faults, ({ breaks }) => breaks[0]);
  const beside = Map.groupBy(
    faults.flatMap(({ breaks, id }) => breaks.slice(1).map((obligation) => ({ obligation, id }))),
    ({ obligation }) => obligation,
  );
  const operations = [...new Set(contract.obligations.map(({ operation }) => operation))];
  const sections = operations.map((operation) => {
    const rows = contract.obligations
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
  return `${intro(contract, faults)}\n\n${sections.join('\n')}`;
}

const head =
  '| id | level | promise | place in openapi.yaml | section of the interface | deliberate faults |\n| --- | --- | --- | --- | --- | --- |';

function intro(contract: Contract, faults: readonly Fault[]): string {
  const judged = contract.obligations.filter(({ level }) => level !== 'open');
  const open = contract.obligations.length - judged.length;
  return [
    '# Obligations',
    '',
    'Made by `npm run obligations` from openapi.yaml and the deliberate faults in `selftest/mutants/`; do not edit.',
    '',
    `${contract.title} ${contract.version} has ${judged.length} obligations that a target can keep or break, and ${open} open questions, whose answers are recorded and never failed. ${faults.length} deliberate faults prove the checks. A fault in brackets breaks the obligation beside another one that is named first..`,
  ].join('\n');
}

function renderRow(
  { id, level, sentence, pointer, section }: Obligation,
  proofs: readonly Fault[],
  beside: readonly string[],
): string {
  const own = proofs.map((fault) => fault.id);
  const shown = [...own, ...beside.map((each) => `(${each})`)];
  const more = shown.length > 4 ? [...shown.slice(0, 4), `and ${shown.length - 4} more`] : shown;
  return `| \`${id}\` | ${level} | ${cell(sentence)} | \`${pointer}\` | ${cell(section)} | ${more.join(', ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
