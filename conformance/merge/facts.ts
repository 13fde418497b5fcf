import type { MergeFacts } from '../shard/merge-facts.ts';
import { commonChoices } from '../judge/trace/finding.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { AuditedShard } from './audit.ts';
import { isFuzzProbe } from './shard-report.ts';

/** What a merged report tells of its shards: which are missing, and what each one tested. */
export function composeMergeFacts(shards: readonly AuditedShard[]): MergeFacts {
  const { count = 0, fuzz = 0 } = shards[0]?.shard ?? {};
  const present = new Set(shards.map(({ shard }) => shard.index));
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const dealt = shards.reduce((sum, { shard }) => sum + shard.share, 0);
  const exchanges = shards.flatMap((each) => each.exchanges);
  return {
    count,
    missing: all.filter((index) => !present.has(index)),
    fuzz: {
      wanted: fuzz,
      missing: Math.max(0, fuzz - dealt),
      sent: exchanges.filter(({ probe }) => isFuzzProbe(probe)).length,
    },
    shards: shards.map(({ shard, report, exchanges: [first] }) => ({
      index: shard.index,
      outcome: report.outcome,
      plan: report.target.plan,
      tag: report.run.tag,
      requests: report.exchanges.length,
      from: first?.index ?? 0,
      endedEarly: report.run.endedEarly,
    })),
    verdicts: listVerdicts(shards),
    disagreements: listDisagreements(shards),
  };
}

function listVerdicts(shards: readonly AuditedShard[]): MergeFacts['verdicts'] {
  const ids = [...(shards[0]?.verdicts.keys() ?? [])];
  return ids.map((id) => {
    const byKind = Map.groupBy(shards, ({ verdicts }) => kindOf(verdicts.get(id)?.verdict));
    const lists = [...byKind].map(([kind, some]) => [kind, some.map(({ shard }) => shard.index)]);
    return { id, ...Object.fromEntries(lists) };
  });
}

/** A waiver changes nothing about what a shard saw. */
function kindOf(verdict: Verdict | undefined): Exclude<Verdict['kind'], 'waived'> {
  const kind = verdict?.kind ?? 'not-tested';
  return kind === 'waived' ? 'failed' : kind;
}

/** Open questions of which no choice fits what all shards saw, though one fits what some saw. */
function listDisagreements(shards: readonly AuditedShard[]): MergeFacts['disagreements'] {
  const ids = [...(shards[0]?.verdicts.keys() ?? [])];
  return ids.flatMap((id) => {
    const seen = shards.flatMap(({ shard, verdicts }) => {
      const verdict = verdicts.get(id)?.verdict;
      return verdict?.kind === 'open'
        ? [{ index: shard.index, choices: commonChoices(verdict.observations) }]
        : [];
    });
    const choices = [...new Set(seen.flatMap((each) => each.choices))];
    const isShared = (choice: string): boolean =>
      seen.every((each) => each.choices.includes(choice));
    if (choices.length === 0 || choices.some(isShared)) return [];
    const others = seen.filter((each) => each.choices.length === 0);
    return [
      {
        question: id.replace('*/open.', ''),
        choices: [
          ...choices.map((choice) => ({
            choice,
            shards: seen.filter((each) => each.choices.includes(choice)).map(({ index }) => index),
          })),
          ...(others.length === 0
            ? []
            : [{ choice: undefined, shards: others.map(({ index }) => index) }]),
        ],
      },
    ];
  });
}
