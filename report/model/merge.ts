import { type MergeFacts, nameShards } from '../../conformance/index.ts';
import { nameSome } from './summary.ts';
import { countOf } from '../../page/view/count.ts';

/** The shards of a merged report, in sentences: what is missing, and where they differ. */
export function describeMerge(merge: MergeFacts): readonly string[] {
  return [
    ...describeMissing(merge),
    `${countOf(merge.shards.length, 'shard')} sent ${merge.fuzz.sent} of the ${merge.fuzz.wanted} fuzzing requests; each sent the run plan.`,
    ...describeOnce(merge),
    ...describeContradictions(merge),
  ];
}

/**
 * `Missing: shard 5 of 8. 375 of the 3000 fuzzing requests are in no report.`; none if all are
 * there.
 */
export function describeMissing({ missing, count, fuzz }: MergeFacts): readonly string[] {
  if (missing.length === 0) return [];
  return [
    `Missing: ${nameShards(missing)} of ${count}. ${fuzz.missing} of the ${fuzz.wanted} fuzzing requests are in no report.`,
  ];
}

function describeOnce({ verdicts, shards }: MergeFacts): readonly string[] {
  if (shards.length < 2) return [];
  const once = verdicts.flatMap(({ id, passed = [], failed = [], open = [] }) => {
    const [index, ...others] = [...passed, ...failed, ...open];
    return index === undefined || others.length > 0 ? [] : [`${id} (${nameShards([index])})`];
  });
  return once.length === 0 ? [] : [`Tested by one shard only: ${nameSome(once)}.`];
}

function describeContradictions({ verdicts }: MergeFacts): readonly string[] {
  return verdicts.flatMap(({ id, passed = [], failed = [] }) =>
    passed.length === 0 || failed.length === 0
      ? []
      : [`${id} failed in ${nameShards(failed)}, but passed in ${nameShards(passed)}.`],
  );
}
