import type { Contract } from '../../contract/contract.ts';
import type { Verdict } from '../judge/verdict.ts';
import { provesTooLittle, type Unserved } from './unserved.ts';
import { explainCut } from './left-out.ts';
import type { Exchange } from '../transport/exchange.ts';
import { explainShare, isBelowShare, type TestedShare } from './tested.ts';

export interface Evidence {
  readonly contract: Contract;
  readonly share: TestedShare;
  readonly unserved: readonly Unserved[];
  readonly verdicts: readonly Verdict[];
  readonly exchanges: readonly Exchange[];
}

/**
 * Why a run without failures cannot say that the target conforms, without a full stop; undefined
 * where it can.
 */
export function explainInconclusive({
  contract,
  share,
  unserved,
  verdicts,
  exchanges,
}: Evidence): string | undefined {
  const cut = explainCut(contract);
  if (cut !== undefined) return cut;
  if (isBelowShare(share)) return explainShare(share);
  const [first, ...others] = unserved;
  if (first !== undefined && provesTooLittle(contract, unserved, exchanges))
    return others.length === 0
      ? first.sentence
      : `${first.sentence}; the same applies to ${others.length} more operations`;
  return explainUndecided(verdicts) ?? explainNothing(verdicts);
}

/**
 * Which requirement may be broken by what could not be judged to its end, without a full stop;
 * undefined where none is.
 */
export function explainUndecided(verdicts: readonly Verdict[]): string | undefined {
  for (const verdict of verdicts)
    if (verdict.kind === 'not-tested' && verdict.isUndecided === true)
      return `it is not known whether ${verdict.requirement.id} holds: ${verdict.reason}`;
  return undefined;
}

/** Why nothing was tested at all; undefined where something was. */
export function explainNothing(verdicts: readonly Verdict[]): string | undefined {
  const reasons = verdicts.flatMap((each) => (each.kind === 'not-tested' ? [each.reason] : []));
  if (reasons.length < verdicts.length) return undefined;
  const [most] = [...Map.groupBy(reasons, String)].toSorted(([, a], [, b]) => b.length - a.length);
  const nothing = 'no requirement was tested';
  return most === undefined ? nothing : `${nothing}: ${most[0]}`;
}
