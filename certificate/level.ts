import { isFailure, isNotTested, type Report, type Verdict } from '../conformance/index.ts';
import { type JsonObject, renderJson } from '../contract/json/value.ts';
import { countOf } from '../page/view/count.ts';
import { isInForce, listNotTested, listWaiverFaults } from '../report/index.ts';

/**
 * The level of a report as a certificate. `conforms`: no failure without a waiver, every applicable
 * `must` passed or has a waiver in force, and no waiver is expired or unnecessary. `failed`: a
 * `must` failed without a waiver in force. `incomplete`: neither.
 */
export type Level = 'conforms' | 'failed' | 'incomplete';

export function settleLevel(report: Report): Level {
  if (report.verdicts.some(isFailure)) return 'failed';
  return listShortfalls(report).length === 0 ? 'conforms' : 'incomplete';
}

/** Everything that prevents `conforms`; untested requirements are grouped by reason. */
export function listShortfalls(report: Report): readonly string[] {
  const { verdicts, waivers, inconclusive } = report;
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
    ...listWaiverFaults(report),
  ];
}

/** False for a rule about something that this client does not do. */
export function isApplicable({ requirement: { subject } }: Verdict): boolean {
  return subject.kind !== 'client' || subject.applies;
}

export const levelSentences: Readonly<Record<Level, string>> = {
  conforms: 'Nothing failed, and every requirement that applies passed or has a waiver in force.',
  failed: 'At least one requirement failed.',
  incomplete: 'Nothing failed, but not every requirement that applies was tested.',
};

/** The level in a few words, with the number of waivers. */
export function describeLevel(report: Report): string {
  const [level, count] = [settleLevel(report), report.waivers.length];
  if (count === 0) return level;
  return `${level}, with ${countOf(count, 'waiver')}`;
}

/** Headline of a certificate without a verified signature. */
export const unauthenticated = 'not authenticated';

export function subjectOf({ client }: Pick<Report, 'client'>): 'server' | 'client' {
  return client === undefined ? 'server' : 'client';
}

/** What a certificate cannot show, even if it is signed. */
export function describeLimits(report: Report): string {
  const [seen, subject] =
    report.client === undefined ? ['responses', 'target'] : ['requests', 'client'];
  return `Only the signers vouch that the ${seen} in the log came from the ${subject}. Another run can confirm it. The verdicts are about the ${seen} of this run; other ${seen} may differ.`;
}

/** Settings for people, without empty ones. */
export function listSettings(
  settings: JsonObject,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(settings).flatMap(([name, value = null]) => {
    const text = typeof value === 'string' ? value : renderJson(value);
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    return ['null', '[]', '{}', ''].includes(text) ? [] : [[name, shown] as const];
  });
}
