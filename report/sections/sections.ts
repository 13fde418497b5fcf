import type { Contract } from '../../contract/contract.ts';
import type { Report } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { viewCauses, type CauseView } from '../cause/cause-view.ts';
import { describeCell, nameOperation, readMatrix } from '../model/matrix.ts';
import { viewMerge } from '../model/merge.ts';
import { readQuestions, type Answered } from '../model/question.ts';
import {
  describeWaiver,
  listLeftOut,
  listNotTested,
  summarise,
  waiverWords,
} from '../model/summary.ts';

/** A part of a report, which every format renders in its own way. */
export interface ReportSection {
  readonly title: string;
  /** What it is about, in a sentence; empty for none. */
  readonly lead: string;
  /** What is in it, in a few words, where a format folds it; undefined where it is never folded. */
  readonly folded: string | undefined;
  /** Empty where there is nothing to say: the section is left out. */
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'causes'; readonly causes: readonly CauseView[] }
  | Table
  /** Under a sentence without its full stop the items are examples; `more`: how many are left out. */
  | { kind: 'list'; sentence?: string; items: readonly string[]; more?: number }
  /** Requirements by the reason for which they were not tested. */
  | { kind: 'reasons'; reasons: ReturnType<typeof listNotTested>; isOfClient: boolean }
  | { readonly kind: 'line'; readonly text: string };

export interface Table {
  readonly kind: 'table';
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** What it is about, then what is said of it. */
  readonly cells: readonly [Cell, ...Cell[]];
  /** The cells after the first as one sentence, where they are too long for columns. */
  readonly sentence?: string;
  /** Only a format with room for it shows it. */
  readonly isMinor?: boolean;
}

/** A text, or one with more about it, for a format that has room for it. */
export type Cell =
  | string
  | {
      readonly text: string;
      readonly note: string;
      readonly evidence?: readonly { readonly evidence: string; readonly exchange: number }[];
    };

/** The sections of a report. @param reportFile as for `viewFailure` */
export function readSections(report: Report, contract: Contract, reportFile?: string) {
  const { failed, advised } = viewCauses(report, contract, reportFile);
  const { waivers, leftBehind, run, client } = report;
  const { notTested, open } = summarise(report);
  const merge = viewMerge(report);
  const leftOut = listLeftOut(report);
  const reasons = listNotTested(report);
  const traffic = listTraffic(report);
  const isOfClient = client !== undefined;
  return {
    failures: section(
      isOfClient ? 'Failed rules' : countOf(failed.length, 'cause'),
      '',
      undefined,
      [{ kind: 'causes', causes: failed }],
    ),
    requirements: section('Requirements', '', undefined, [tableOfRequirements(report)]),
    shards: section(
      'Shards',
      'The runs that this report was merged from, and how many of them tested each requirement.',
      undefined,
      [
        { kind: 'list', items: merge?.sentences ?? [] },
        tableOf('Requirements by shards', merge?.columns ?? [], merge?.rows.map(rowOf) ?? []),
      ],
    ),
    waivers: section(
      'Waivers',
      'Failed requirements that are accepted until an expiry date.',
      countOf(waivers.length, 'waiver'),
      [tableOfWaivers(report)],
    ),
    advised: section(
      'Recommendations not followed',
      'They do not fail the run.',
      countOf(advised.length, 'recommendation'),
      [{ kind: 'causes', causes: advised }],
    ),
    questions: section(
      'Open questions',
      'What this target does where the contract leaves the behaviour open. No choice fails the run.',
      `${open} seen`,
      [
        tableOf(
          'Questions and what was seen',
          ['Question', 'This target', 'Evidence'],
          readQuestions(report, contract).map(rowOfQuestion),
        ),
      ],
    ),
    notTested: section(
      'Not tested',
      isOfClient ? 'What the client did not show, and why.' : 'What the run did not test, and why.',
      `${countOf(notTested, 'requirement')}, for ${countOf(reasons.length, 'reason')}`,
      [{ kind: 'reasons', reasons, isOfClient }],
    ),
    traffic: section(
      'Traffic',
      'What clients did, and what was not judged. It does not fail the run.',
      countOf(traffic.length, 'note'),
      [tableOf('Notes on traffic', ['Kind', 'Times', 'What', 'First seen in'], traffic)],
    ),
    leftBehind: section(
      'Left behind',
      'Items that the run added and that probably still exist.',
      countOf(leftBehind.length, 'item'),
      [...Map.groupBy(leftBehind, ({ resource }) => resource)].map(([resource, items]) => ({
        kind: 'line',
        text: `${countOf(items.length, 'item')}, tagged ${run.tag}, in ${resource}: ${items.map(({ id }) => id).join(', ')}`,
      })),
    ),
    document: section(
      'The document',
      'Parts that could not be read were skipped and not judged.',
      countOf(report.contract.leftOut?.count ?? 0, 'error'),
      leftOut === undefined ? [] : [{ kind: 'list', ...leftOut }],
    ),
  };
}

function section(
  title: string,
  lead: string,
  folded: string | undefined,
  blocks: readonly Block[],
): ReportSection {
  return { title, lead, folded, blocks: blocks.filter((block) => !isEmpty(block)) };
}

function isEmpty(block: Block): boolean {
  return (
    (block.kind === 'causes' && block.causes.length === 0) ||
    (block.kind === 'table' && block.rows.length === 0) ||
    (block.kind === 'list' && block.sentence === undefined && block.items.length === 0) ||
    (block.kind === 'reasons' && block.reasons.length === 0)
  );
}

function tableOf(label: string, columns: readonly string[], rows: readonly TableRow[]): Table {
  return { kind: 'table', label, columns, rows };
}

function rowOf([head = '', ...cells]: readonly string[]): TableRow {
  return { cells: [head, ...cells] };
}

/** Operations by families. */
function tableOfRequirements(report: Report): Table {
  const { families, rows } = readMatrix(report);
  return tableOf(
    'Requirements by operation and family',
    ['Operation', ...families],
    rows.map(({ operation, cells }) =>
      rowOf([nameOperation(operation), ...cells.map(describeCell)]),
    ),
  );
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

function rowOfQuestion({ id, question, answer }: Answered): TableRow {
  const head = { text: id, note: question?.question ?? '' };
  if (answer === undefined)
    return { cells: [head, 'not seen', 'no response shows it'], isMinor: true };
  const { name, description, evidence } = answer;
  return {
    cells: [
      head,
      { text: name, note: description },
      { text: evidence[0]?.evidence ?? '', note: '', evidence },
    ],
  };
}

/** What is said of traffic beside its verdicts, what is of one kind together. */
function listTraffic({ traffic, exchanges }: Report): readonly TableRow[] {
  if (traffic === undefined) return [];
  const { notes, failures, judged } = traffic;
  const kept = `${exchanges.length} of ${countOf(judged, 'exchange')} ${exchanges.length === 1 ? 'is' : 'are'} in the report: the first ones, and some for each requirement`;
  return [
    ...notes.map(({ kind, sentence, count, example }) =>
      rowOfTraffic(noteWords[kind] ?? kind, count, sentence, example),
    ),
    ...failures.map(({ requirement, count }) => rowOfTraffic('Failed', count, requirement)),
    ...(exchanges.length < judged ? [rowOfTraffic('Kept', exchanges.length, kept)] : []),
  ];
}

function rowOfTraffic(kind: string, count: number, sentence: string, example = ''): TableRow {
  const first = example === '' || sentence.startsWith(example) ? '' : ` (${example})`;
  return {
    cells: [kind, `${count}`, sentence, example],
    sentence: `${countOf(count, 'time')}: ${sentence}${first}`,
  };
}

const noteWords: Readonly<Record<string, string>> = {
  request: 'Client request that breaks the contract',
  status: 'Status that the document does not list',
  outside: 'Not in the document',
  'not-judged': 'Not judged',
};
