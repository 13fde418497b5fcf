import type { TextTable } from './cells.ts';
import type { Area, Cause } from './causes.ts';

const areas: readonly Area[] = [
  'load',
  'crash',
  'request',
  'security',
  'state',
  'sample',
  'conform',
];
const mostExamples = 3;

/** The causes by area, each with some of its documents. */
export function causeTable(causes: readonly Cause[], most: number): TextTable {
  const rows = areas.flatMap((area) =>
    causes
      .filter((cause) => cause.area === area)
      .slice(0, most)
      .map(({ words, count, documents }) => [
        `${area}: ${words}`,
        String(documents.size),
        String(count),
        exampleText(documents),
      ]),
  );
  return { head: ['cause', 'documents', 'times', 'for example'], rows };
}

function exampleText(documents: ReadonlyMap<string, string>): string {
  const examples = [...documents]
    .slice(0, mostExamples)
    .map(([id, place]) => (place === '' ? id : `${id} ${place.slice(0, 40)}`));
  return examples.join(', ') + (documents.size > mostExamples ? ', …' : '');
}
