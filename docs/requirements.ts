import type { Contract } from '../contract/contract.ts';
import { listRequirements, type Requirement } from '../conformance/index.ts';

/** docs/requirements.md: every requirement, and which operations have it. */
export function renderRequirementsDocument(contract: Contract): string {
  const judged = listRequirements(contract).filter(({ level }) => level !== 'open');
  const operations = contract.operations.map(({ id }) => id);
  const shared = judged.filter(({ operation }) => operation !== '*');
  const service = judged.filter(({ operation }) => operation === '*');
  const rows = Map.groupBy(shared, facetOf);
  return [
    '# Requirements',
    '',
    'Generated from `openapi.yaml` by a test, `npm run unit -- docs/requirements -u`; do not edit.',
    '',
    `${contract.title} ${contract.version} makes ${judged.length} requirements, and leaves ${contract.openQuestions.length} [questions open](open-questions.md). [Mutants](selftest.md) prove the checks. Reports have the place and the section of each.`,
    '',
    '## Of an operation',
    '',
    `An id is the operation with the facet: \`${shared[0]?.id ?? ''}\`. A sentence names one operation for all. Facets of a body or header need none.`,
    '',
    `| Facet | Requirement | ${operations.join(' | ')} |`,
    `|---|---|${':---:|'.repeat(operations.length)}`,
    ...[...rows].map(([facet, list]) => {
      const marks = operations.map((id) =>
        list.some(({ operation }) => operation === id) ? '✓' : '',
      );
      return `| \`${facet}\` | ${renderFirst(list)} | ${marks.join(' | ')} |`;
    }),
    '',
    '## Of the service',
    '',
    '| Id | Requirement |',
    '|---|---|',
    ...service.map((each) => `| \`${each.id}\` | ${renderSentence(each)} |`),
    '',
  ].join('\n');
}

/** The id without its operation: `status.200`. */
function facetOf({ id, operation }: Requirement): string {
  return id.slice(operation.length + 1);
}

/** The sentence of the first; none if the facet says it all. */
function renderFirst([first]: readonly Requirement[]): string {
  return first === undefined || first.family === 'body' || first.family === 'header'
    ? ''
    : renderSentence(first);
}

function renderSentence({ sentence, level }: Requirement): string {
  return `${cell(sentence)}${level === 'should' ? ' (should)' : ''}`;
}

/** docs/open-questions.md: what the document leaves open, and the valid choices. */
export function renderQuestionsDocument({ title, openQuestions }: Contract): string {
  const rows = openQuestions.map(({ id, question, choices, default: usual }) => {
    const list = choices.map((choice) => (choice.id === usual ? `**${choice.id}**` : choice.id));
    return `| \`${id}\` | ${cell(question)} | ${list.join(', ')} |`;
  });
  return [
    '# Open questions',
    '',
    'Generated from `x-unspecified` of `openapi.yaml` by a test, `npm run unit -- docs/requirements -u`; do not edit.',
    '',
    `What the interface of ${title} leaves open, with the valid choices; the document says what each means. The mock makes the one in bold, or that of \`--choice question=choice\`. The suite reports a server's choice, and never fails it: a choice is observed where it fits every response that bears on the question. Where several fit, the report names them; where none does, it says "something else" and shows the responses.`,
    '',
    '| Question | | Choices |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
