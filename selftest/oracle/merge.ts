import type { Report } from '../../conformance/index.ts';
import { type JsonObject, type JsonValue, renderJson } from '../../contract/json/value.ts';
import {
  type Rule,
  checkCause,
  checkExplained,
  countRules,
  list,
  listIn,
  numberOf,
  numbersOf,
  objectOf,
  textOf,
} from './facts.ts';

/**
 * What a merged report states and the logs of its shards do not confirm: counts, the reasons of what was
 * not tested, and the numbers of the causes.
 *
 * @param shards the reports of the shards as `report.json` has them, by number
 */
export function findFalseMerge(
  report: Report,
  document: JsonValue,
  shards: ReadonlyMap<number, JsonValue>,
): readonly string[] {
  const whole = objectOf(document);
  return [
    ...list('counts', countRules(whole)),
    ...listIn(whole['verdicts']).flatMap((verdict) => checkMerged(verdict, whole, shards)),
    ...listIn(whole['causes']).flatMap((cause) => checkCause(cause, report)),
    ...checkExplained(whole),
  ];
}

/** Each shard that is named has the reason that is told of it; without names each that did not test it. */
function checkMerged(
  { id, verdict, because }: JsonObject,
  whole: JsonObject,
  shards: ReadonlyMap<number, JsonValue>,
): readonly string[] {
  if (verdict !== 'not-tested') return [];
  const own = listIn(objectOf(whole['merge'])['verdicts']).find((each) => each['id'] === id);
  const untested = numbersOf(own?.['not-tested']);
  const told = objectOf(because);
  const reasons =
    told['kind'] === 'by-shard'
      ? listIn(told['reasons'])
      : [{ shards: [...untested], because: told }];
  const named = reasons.flatMap((each) => numbersOf(each.shards));
  const doubts = reasons.filter((each) => objectOf(each.because)['kind'] === 'unclear');
  const { shards: parts } = objectOf(whole['merge']);
  const starts = new Map(listIn(parts).map(({ index, from }) => [numberOf(index), numberOf(from)]));
  const isSaid = (shard: number, said: JsonObject): boolean => {
    const verdicts = listIn(objectOf(shards.get(shard))['verdicts']);
    const found = objectOf(verdicts.find((each) => each['id'] === id)?.['because']);
    // Exchanges are numbered one shard after the other.
    return said['kind'] === 'unclear'
      ? numberOf(said['exchange']) === numberOf(found['exchange']) + (starts.get(shard) ?? 0)
      : renderJson(found) === renderJson(said);
  };
  return list(textOf(id), [
    [named.every((shard) => untested.includes(shard)), 'a shard that tested it has a reason'],
    [doubts.length > 0 || named.length === untested.length, 'a shard has no reason, or several'],
    ...reasons.map((each): Rule => {
      const said = objectOf(each.because);
      const isTrue = (shard: number): boolean => isSaid(shard, said);
      const isAny = said === told && said['kind'] === 'unclear';
      return [
        isAny ? untested.some(isTrue) : numbersOf(each.shards).every(isTrue),
        `not tested because of ${renderJson(said)}, which a shard does not say`,
      ];
    }),
  ]);
}
