import type { SignatureState } from '../envelope/signature-check.ts';
import type { CertificateFinding } from '../envelope/finding.ts';
import type { Predicate } from '../predicate/predicate.ts';

export interface Verification {
  /** `holds`: all follows from its log. `broken`: not so. `unclear`: that is inconclusive here. */
  readonly outcome: 'holds' | 'broken' | 'unclear';
  readonly findings: readonly CertificateFinding[];
  /** In the words of this version where it holds. Undefined where it could not be read. */
  readonly predicate: Predicate | undefined;
  /** Undefined where the envelope could not be read. */
  readonly signatures: readonly SignatureState[] | undefined;
  readonly checks: Checks;
}

export interface Checks {
  readonly keys: number;
  readonly chain: boolean;
  readonly recomputation: boolean;
  /** Whether the kill rate is the record of the version at hand. Else it is the signer's word. */
  readonly selftest: boolean;
}

/** Whether a key that was given is shown to have signed it; else anybody can have made it. */
export function isAuthenticated({ signatures = [] }: Verification): boolean {
  return signatures.some(({ signer }) => signer !== undefined);
}

/** Nothing was checked, as nothing could be read. */
export const noChecks: Checks = { keys: 0, chain: false, recomputation: false, selftest: false };

/** What findings come to. */
export function conclude(
  findings: readonly CertificateFinding[],
  { predicate, signatures, checks = noChecks }: Partial<Verification> = {},
): Verification {
  const weights = new Set(findings.map(({ weight }) => weight));
  const outcome = weights.has('breaks') ? 'broken' : weights.has('unclear') ? 'unclear' : 'holds';
  return { outcome, findings, predicate, signatures, checks };
}
