import { escapePattern } from '../../contract/openapi/path-pattern.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { openMember } from '../../contract/openapi/open-question.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Observation } from '../judge/trace/finding.ts';
import type { Requirement } from '../judge/trace/requirement.ts';
import type { Report } from '../run/report.ts';
import type { Failure } from '../judge/verdict.ts';
import { readTrace } from '../family/read-trace.ts';
import { itemsOf, renderPlain } from '../judge/trace/trace.ts';
import { type Exchange, jsonOf } from '../transport/exchange.ts';
import { freshNumbers, tagPattern } from '../generate/tag.ts';

/**
 * A run whose texts are normalised, so that it can be compared with another one: values in which two
 * equal servers differ (tag, identifiers, references, times, rate-limit numbers) become names, and a
 * response becomes its status.
 */
export class ComparedRun {
  readonly exchanges: readonly Exchange[];
  /** Ids of the probes that sent requests. */
  readonly probes: ReadonlySet<string>;
  readonly #tag: RegExp;
  readonly #members: readonly RegExp[];
  /** Ids of the operations that return lists. */
  readonly #lists: ReadonlySet<string>;

  constructor(report: Report, contract: Contract) {
    this.exchanges = report.exchanges;
    this.probes = new Set(report.exchanges.map(({ probe }) => probe));
    this.#tag = tagPattern(report.run.tag);
    this.#members = listMembers(report, contract);
    this.#lists = new Set(contract.resources.map(({ list }) => list.id));
  }

  /** The way in which an exchange asks an open question; empty for an ordinary request. */
  wayOf({ exchange }: Observation): string {
    const intent = this.exchanges[exchange]?.intent;
    return intent?.kind === 'open' ? intent.way : '';
  }

  /** The normal form of a text about a requirement. */
  text(text: string, { family }: Requirement): string {
    const known = this.#nameKnown(text.replace(response, '$1'));
    const timeless = times.reduce((all, pattern) => all.replace(pattern, '<time>'), known);
    return counting.has(family) || family === 'header'
      ? timeless.replace(numbers, '<number>')
      : timeless.replace(counts, '<number>$1');
  }

  /** That of the body of a request. */
  sent({ request }: Exchange): string {
    return this.#nameKnown(request.body ?? '');
  }

  /** Expected and received, in one text. */
  failure(
    { expected, received }: Pick<Failure, 'expected' | 'received'>,
    requirement: Requirement,
    exchange: Exchange,
  ): string {
    const { subject, operation } = requirement;
    if (subject.kind !== 'body' || subject.part === 'content-type')
      return `${this.text(expected, requirement)} | ${this.text(received, requirement)}`;
    // The content of lists may differ.
    const isList = this.#lists.has(operation);
    const isValue = 'facet' in subject && subject.facet === 'values' && !isList;
    return [
      expected.split(', not ')[0]?.replace(/\/\d+(?=[/ ])/g, '/[]'),
      isValue ? received.split(' in ')[0] : kindOf(received),
      isList && kindOf(received) !== 'object' ? '' : namesIn(exchange),
    ].join(' | ');
  }

  #nameKnown(text: string): string {
    return this.#members.reduce(
      (all, pattern) => all.replace(pattern, '$1<identifier>'),
      text.replace(this.#tag, '<tag>'),
    );
  }
}

/** The names of the members that the body of a response has. */
function namesIn({ outcome }: Exchange): string {
  const json = outcome.kind === 'answered' ? jsonOf(outcome.response) : undefined;
  return isJsonObject(json) ? Object.keys(json).toSorted().join() : '';
}

/** The kind of JSON that a text begins with, because data in a malformed body is not compared. */
function kindOf(text: string): string {
  if (/^(?:true|false|null|nothing|no body)\b/.test(text)) return text.split(' in ')[0] ?? '';
  if (/^-?\d/.test(text)) return 'number';
  return { '{': 'object', '[': 'list', '"': 'string' }[text.charAt(0)] ?? 'text';
}

/** A response as findings describe it: the status, then the rest. */
const response = /(?<!\d)([1-5]\d\d)(?: \([^)]*\) .*| [[{"<].*)$/s;

/** ISO 8601, HTTP-date (RFC 9110 section 5.6.7), and Unix time in seconds or milliseconds. */
const times: readonly RegExp[] = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g,
  /(?<![\d.])1\d{9}(?:\d{3})?(?![\d.])/g,
];

/** The number of items may differ, but not none from some. */
const counts = /\b[1-9]\d*( items?\b| different values?\b| characters?\b)/g;

/** Families whose texts contain numbers of the rate limit, as those of headers do. */
const counting: ReadonlySet<string> = new Set(['rate-limit', 'concurrency']);

/** Any number but the status that a text begins with. */
const numbers = /(?<![\d.])(?!(?<=^)[1-5]\d\d(?:[:,] | again| with))-?\d+(?:\.\d+)?/g;

/** Matches identifiers, and references to records that the target's first lists showed. */
function listMembers(report: Report, contract: Contract): readonly RegExp[] {
  const { readings } = readTrace(contract, report.exchanges);
  const references = contract.openQuestions
    .filter(({ kind }) => kind === 'reference')
    .map(openMember);
  const start = readings.findIndex(({ operation }) => operation.method !== 'GET');
  const before = readings
    .slice(0, start < 0 ? readings.length : start)
    .flatMap((reading) => itemsOf(reading) ?? []);
  const records = references.flatMap((name) => {
    const shown = [
      ...new Set(
        before.flatMap((item) =>
          item[name] === undefined ? [] : [escapePattern(renderPlain(item[name]))],
        ),
      ),
      ...freshNumbers(report.run.tag),
    ];
    return shown.length === 0 ? [] : [memberPattern(name, `"?(?:${shown.join('|')})"?(?![\\d.])`)];
  });
  return [
    /()-?(?<!\d)\d+(?=, which another item already had| twice$)/g,
    /(without the item )\S+/g,
    ...contract.resources.flatMap(({ idPlace, collectionPath }) => [
      memberPattern(idPlace.at(-1) ?? '', String.raw`"?-?\d+"?`),
      new RegExp(`(${escapePattern(collectionPath.replace(/\/$/, ''))}/)[^/?\\s"']+`, 'g'),
    ]),
    ...records,
  ];
}

/** The member in JSON, or in a sentence such as `id` 7; group 1 is what precedes the value. */
function memberPattern(name: string, value: string): RegExp {
  return new RegExp(`("${escapePattern(name)}":|\`${escapePattern(name)}\` )${value}`, 'g');
}
