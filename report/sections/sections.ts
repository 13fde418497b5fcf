import type { Contract } from '../../contract/contract.ts';
import type { Report, TrafficNote } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { viewCauses, type CauseView } from '../cause/causes.ts';
import { readMatrix, type Matrix } from '../model/matrix.ts';
import { describeMerge } from '../model/merge.ts';
import { readQuestions, type Answered } from '../model/question.ts';
import {
  countResults,
  describeSeconds,
  describeWaiver,
  listLeftOut,
  listNotTested,
  showInstant,
  waiverWords,
} from '../model/summary.ts';

/** A section of a report. Each format renders it in its own way. */
export interface ReportSection {
  readonly title: string;
  /** Its introduction; empty for none. */
  readonly lead: string;
  /** A short summary for formats that collapse it; undefined if it is never collapsed. */
  readonly folded?: string;
  /** Whether it is in the short form of a report too. */
  readonly isBrief?: boolean;
  /** If empty, the section is left out. */
  readonly blocks: readonly Block[];
}

/** Each format skips the kinds of blocks that it has no room for. */
export type Block =
  | { kind: 'causes'; level: 'failed' | 'advised' | 'waived'; causes: readonly CauseView[] }
  | { readonly kind: 'matrix'; readonly matrix: Matrix }
  | Table
  /** With a sentence (without full stop), the items are examples. `more`: how many are left out. */
  | { readonly kind: 'list'; sentence?: string; items: readonly string[]; more?: number }
  /** Names after a sentence without a full stop; may be many. */
  | { readonly kind: 'names'; readonly sentence: string; readonly names: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] };

export interface Table {
  readonly kind: 'table';
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** What the row is about, then the other cells. */
  readonly cells: readonly [Cell, ...Cell[]];
  /** The cells after the first as one sentence, if they are too long for columns. */
  readonly sentence?: string;
  /** Only shown by formats with enough room. */
  readonly isMinor?: boolean;
}

/** A text, or a text with a note for formats with enough room. */
export type Cell = string | { readonly text: string; readonly note: string };

/**
 * The sections of a report, in order.
 *
 * @param reportFile as for `viewFailure`
 */
export function readSections(
  report: Report,
  contract: Contract,
  reportFile?: string,
): readonly ReportSection[] {
  const { failed, advised, waived } = viewCauses(report, contract, reportFile);
  const { waivers, leftBehind, run, merge } = report;
  const { 'not-tested': notTested, open } = countResults(report);
  const leftOut = listLeftOut(report);
  const reasons = listNotTested(report);
  const traffic = listTraffic(report);
  const sections: readonly ReportSection[] = [
    {
      title: countOf(failed.length, 'cause'),
      lead: '',
      isBrief: true,
      blocks: [{ kind: 'causes', level: 'failed', causes: failed }],
    },
    {
      title: 'Requirements',
      lead: '',
      blocks: [{ kind: 'matrix', matrix: readMatrix(report) }],
    },
    {
      title: 'Shards',
      lead: 'The runs that this report was merged from.',
      isBrief: true,
      blocks: [{ kind: 'list', items: merge === undefined ? [] : describeMerge(merge) }],
    },
    {
      title: 'Waivers',
      lead: 'Failed requirements that are accepted until an expiry date.',
      folded: countOf(waivers.length, 'waiver'),
      isBrief: true,
      blocks: [tableOfWaivers(report), { kind: 'causes', level: 'waived', causes: waived }],
    },
    {
      title: 'Recommendations not followed',
      lead: 'They do not fail the run.',
      folded: countOf(advised.length, 'recommendation'),
      blocks: [{ kind: 'causes', level: 'advised', causes: advised }],
    },
    {
      title: 'Open questions',
      lead: 'What this target does where the contract leaves the behaviour open. No choice fails the run.',
      folded: `${open} seen`,
      blocks: [
        tableOf(
          'Questions and what was seen',
          ['Question', 'This target', 'Evidence'],
          readQuestions(report, contract).map(rowOfQuestion),
        ),
      ],
    },
    {
      title: 'Not tested',
      lead: 'What was not tested, and why.',
      folded: `${countOf(notTested, 'requirement')}, for ${countOf(reasons.length, 'reason')}`,
      blocks: reasons.map(({ reason, ids }) => ({
        kind: 'names',
        sentence: `${ids.length} because ${reason}`,
        names: ids,
      })),
    },
    {
      title: 'Traffic',
      lead: 'What clients did, and what was not judged. It does not fail the run.',
      folded: countOf(traffic.length, 'note'),
      blocks: [tableOf('Notes on traffic', ['Kind', 'Times', 'What', 'First seen in'], traffic)],
    },
    {
      title: 'Left behind',
      lead: 'Items that the run added and that probably still exist.',
      folded: countOf(leftBehind.length, 'item'),
      blocks: [...Map.groupBy(leftBehind, ({ resource }) => resource)].map(([resource, items]) => ({
        kind: 'names',
        sentence: `${countOf(items.length, 'item')}, tagged ${run.tag}, in ${resource}`,
        names: items.map(({ id }) => id),
      })),
    },
    {
      title: 'The document',
      lead: 'Parts that could not be read were skipped and not judged.',
      folded: countOf(report.contract.leftOut?.count ?? 0, 'error'),
      isBrief: true,
      blocks: leftOut === undefined ? [] : [{ kind: 'list', ...leftOut }],
    },
    {
      title: 'The run',
      lead: '',
      folded: `${report.contract.title} ${report.contract.version}`,
      blocks: [{ kind: 'facts', facts: listFacts(report) }],
    },
  ];
  return sections
    .map((each) => ({ ...each, blocks: each.blocks.filter((block) => !isEmpty(block)) }))
    .filter(({ blocks }) => blocks.length > 0);
}

function isEmpty(block: Block): boolean {
  return (
    (block.kind === 'causes' && block.causes.length === 0) ||
    (block.kind === 'matrix' && block.matrix.rows.length === 0) ||
    (block.kind === 'table' && block.rows.length === 0) ||
    (block.kind === 'list' && block.sentence === undefined && block.items.length === 0)
  );
}

function tableOf(label: string, columns: readonly string[], rows: readonly TableRow[]): Table {
  return { kind: 'table', label, columns, rows };
}

function tableOfWaivers({ waivers }: Report): Table {
  return tableOf(
    'Waivers and their state',
    ['Requirement', 'State', 'Reason', 'Owner', 'Until'],
    waivers.map(({ waiver, state }) => {
      const { requirement, reason, owner, expires } = waiver;
      return {
        cells: [requirement, waiverWords[state], reason, owner, expires],
        sentence: `${waiverWords[state]}. ${describeWaiver(waiver)}`,
      };
    }),
  );
}

/** Most pieces of evidence shown for a question. */
const maxEvidence = 3;

function rowOfQuestion({ id, question, answer }: Answered): TableRow {
  const head = { text: id, note: question?.question ?? '' };
  if (answer === undefined)
    return { cells: [head, 'not seen', 'no response shows it'], isMinor: true };
  const { name, description, evidence } = answer;
  const shown = evidence
    .slice(0, maxEvidence)
    .map((each) => `${each.evidence} (request ${each.exchange + 1})`);
  const more = evidence.length > maxEvidence ? `; and ${evidence.length - maxEvidence} more` : '';
  return { cells: [head, { text: name, note: description }, `${shown.join('; ')}${more}`] };
}

/** Notes on traffic, grouped by kind. */
function listTraffic({ traffic }: Report): readonly TableRow[] {
  if (traffic === undefined) return [];
  const { notes, failures } = traffic;
  return [
    ...notes.map(({ kind, sentence, count, example }) =>
      rowOfTraffic(noteWords[kind], count, sentence, example),
    ),
    ...failures.map(({ requirement, count }) => rowOfTraffic('Failed', count, requirement)),
  ];
}

function rowOfTraffic(kind: string, count: number, sentence: string, example = ''): TableRow {
  const first = example === '' || sentence.startsWith(example) ? '' : ` (${example})`;
  return {
    cells: [kind, `${count}`, sentence, example],
    sentence: `${countOf(count, 'time')}: ${sentence}${first}`,
  };
}

const noteWords: Readonly<Record<TrafficNote['kind'], string>> = {
  request: 'Client request that breaks the contract',
  status: 'Status that the document does not list',
  outside: 'Not in the document',
  'not-judged': 'Not judged',
};

function listFacts({ target, contract, run, client, traffic }: Report) {
  const isRun = client === undefined && traffic === undefined;
  const { waited = 0, clockMoved = 0 } = run.times ?? {};
  const facts: (readonly [name: string, value: string])[] = [
    ['Client', client ?? ''],
    [client === undefined ? 'Target' : 'Mock', target.baseUrl],
    ['Contract', `${contract.title} ${contract.version}`],
    ['Document', contract.source],
    ['Plan of the key', target.plan ?? 'not given'],
    ['Requests', isRun ? `${run.requests} of at most ${run.budget}` : `${run.requests}`],
    ['Seed', isRun ? `${run.seed}` : ''],
    ['Started', showInstant(run.startedAt)],
    ['Took', describeSeconds(run.milliseconds)],
    ['Time spent waiting', waited === 0 ? '' : describeSeconds(waited)],
    ['Mock clock moved ahead by', clockMoved === 0 ? '' : describeSeconds(clockMoved)],
    ['SHA-256 of the document', contract.digest],
  ];
  return facts.filter(([, value]) => value !== '');
}
