import { isFailure, isNotTested, type Report, type Verdict } from '../conformance/index.ts';
import { listNotTested } from '../report/index.ts';

/**
 * What a report comes to as a certificate. `conforms`: nothing failed unwaived, every `must` that
 * applies passed or is covered by a waiver in force, and no waiver is expired or unnecessary.
 * `failed`: a `must` failed and no waiver in force covers it. `incomplete`: neither.
 */
export type Level = 'conforms' | 'failed' | 'incomplete';

export function settleLevel(report: Report): Level {
  if (report.verdicts.some(isFailure)) return 'failed';
  return listShortfalls(report).length === 0 ? 'conforms' : 'incomplete';
}

/** Everything that prevents `conforms`; what was not tested is by reason. */
export function listShortfalls({ verdicts, waivers, inconclusive }: Report): readonly string[] {
  const inForce = new Set(
    waivers.filter(isInForce).map(({ waiver: { requirement } }) => requirement),
  );
  const missing = verdicts.filter(
    (verdict) =>
      isNotTested(verdict) &&
      isApplicable(verdict) &&
      verdict.requirement.level === 'must' &&
      !inForce.has(verdict.requirement.id),
  );
  return [
    ...(inconclusive === undefined ? [] : [`the run is inconclusive: ${inconclusive}`]),
    ...verdicts.filter(isFailure).map(({ requirement: { id } }) => `${id} failed`),
    ...listNotTested({ verdicts: missing }).map(
      ({ reason, ids: [id = '', ...others] }) =>
        `${others.length === 0 ? id : `${id} and ${others.length} more`} not tested: ${reason}`,
    ),
    ...waivers
      .filter((each) => !isInForce(each))
      .map(
        ({ waiver: { requirement }, state }) =>
          `the waiver for ${requirement} is ${state === 'expired' ? 'expired' : 'unnecessary: the requirement passed'}`,
      ),
  ];
}

/** Whether a waiver was in force at the time of the run. */
export function isInForce({ state }: Report['waivers'][number]): boolean {
  return state === 'used' || state === 'unreached';
}

/** False for a rule about what this client does not do. */
export function isApplicable({ requirement: { subject } }: Verdict): boolean {
  return subject.kind !== 'client' || subject.applies;
}
