import { type MergeFacts, type Report, nameShards } from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { nameOperation } from './matrix.ts';

/** What a merged report shows of its shards. */
export interface MergeView {
  /** Each a sentence: what is missing, and where shards differ. */
  readonly sentences: readonly string[];
  /** For each operation, how many requirements so many shards have tested; the first is its name. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Most requirements that a sentence names. */
const mostNamed = 6;

/** Reads what was tested how often; undefined for a report that was not merged. */
export function viewMerge(report: Report): MergeView | undefined {
  const { merge } = report;
  if (merge === undefined) return undefined;
  const times = countTimes(merge);
  const judged = report.verdicts.filter(({ requirement }) => requirement.level !== 'open');
  const bands = listBands(merge.shards.length);
  const rows = [...Map.groupBy(judged, ({ requirement }) => requirement.operation)].map(
    ([operation, verdicts]) => {
      const own = verdicts.map(({ requirement }) => times.get(requirement.id) ?? 0);
      return [
        nameOperation(operation),
        ...bands.map(({ from, to }) =>
          String(own.filter((count) => count >= from && count <= to).length),
        ),
      ];
    },
  );
  return {
    sentences: [
      ...describeMissing(merge),
      describeFuzz(merge),
      ...describeOnce(merge),
      ...describeContradictions(merge),
      ...describeDisagreements(merge),
      ...describePlans(merge),
    ],
    columns: ['Operation', ...bands.map(({ name }) => name)],
    rows,
  };
}

/** `Shard 5 of 8 is missing: 375 of the 3000 requests of fuzzing are in no report.`; none if all are there. */
export function describeMissing({ missing, count, fuzz }: MergeFacts): readonly string[] {
  if (missing.length === 0) return [];
  const names = nameShards(missing);
  const verb = missing.length === 1 ? 'is' : 'are';
  return [
    `${names.slice(0, 1).toUpperCase()}${names.slice(1)} of ${count} ${verb} missing: ${fuzz.missing} of the ${fuzz.wanted} fuzzing requests were assigned to ${missing.length === 1 ? 'it' : 'them'}, and are in no report.`,
  ];
}

function describeFuzz({ fuzz, shards }: MergeFacts): string {
  return `${countOf(shards.length, 'shard')} sent ${fuzz.sent} of the ${fuzz.wanted} fuzzing requests; each sent the run plan.`;
}

/** In how many shards each requirement was tested, by its id. */
function countTimes({ verdicts }: MergeFacts): ReadonlyMap<string, number> {
  return new Map(verdicts.map((each) => [each.id, testersOf(each).length]));
}

type ShardVerdicts = MergeFacts['verdicts'][number];

function testersOf({ passed = [], failed = [], open = [] }: ShardVerdicts): readonly number[] {
  return [...passed, ...failed, ...open];
}

interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** All shards, some, one, none: as far as they are not the same. */
function listBands(shards: number): readonly Band[] {
  return [
    ...(shards > 1 ? [{ name: `tested by all ${shards}`, from: shards, to: shards }] : []),
    ...(shards > 2
      ? [{ name: shards === 3 ? 'by 2' : `by 2 to ${shards - 1}`, from: 2, to: shards - 1 }]
      : []),
    { name: 'by one', from: 1, to: 1 },
    { name: 'by none', from: 0, to: 0 },
  ];
}

function describeOnce({ verdicts, shards }: MergeFacts): readonly string[] {
  if (shards.length < 2) return [];
  const once = verdicts.flatMap((each) => {
    const [index, ...others] = testersOf(each);
    return index === undefined || others.length > 0 ? [] : [`${each.id} (${nameShards([index])})`];
  });
  return once.length === 0 ? [] : [`Tested by one shard only: ${nameSome(once)}.`];
}

/** Requirements that some shards fail and others pass. */
function describeContradictions({ verdicts }: MergeFacts): readonly string[] {
  return verdicts.flatMap(({ id, passed = [], failed = [] }) =>
    passed.length === 0 || failed.length === 0
      ? []
      : [`${id} failed in ${nameShards(failed)}, but passed in ${nameShards(passed)}.`],
  );
}

function describeDisagreements({ disagreements }: MergeFacts): readonly string[] {
  return disagreements.map(({ question, choices }) => {
    const seen = choices.map(
      ({ choice, shards }) => `${choice ?? 'something else'} in ${nameShards(shards)}`,
    );
    return `Shards saw different choices for the open question ${question}: ${seen.join('; ')}.`;
  });
}

function describePlans({ shards }: MergeFacts): readonly string[] {
  const byPlan = [...Map.groupBy(shards, ({ plan }) => plan ?? 'not given')];
  if (byPlan.length < 2) return [];
  const plans = byPlan.map(
    ([plan, some]) => `${plan} in ${nameShards(some.map(({ index }) => index))}`,
  );
  return [`The keys have different plans: ${plans.join('; ')}.`];
}

function nameSome(all: readonly string[]): string {
  const more = all.length - mostNamed;
  return `${all.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
