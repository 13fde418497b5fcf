/** What the verification of a certificate found, as a value. */
export interface CertificateFinding {
  readonly kind: FindingKind;
  /**
   * `breaks`: the certificate does not hold. `unclear`: that is inconclusive here.
   * `notice`: it holds, and a reader should know this.
   */
  readonly weight: 'breaks' | 'unclear' | 'notice';
  /** For people, with its full stop. May quote the certificate: show it with care. */
  readonly sentence: string;
  /** JSON pointer into the envelope or the payload; `file` for the whole. */
  readonly where: string;
  /** What the certificate has there and what the log comes to, as JSON texts. */
  readonly difference?: Readonly<Record<'certificate' | 'log', string>>;
  /** The version of the package that made it, where that is another one. */
  readonly version?: string;
}

/** What a finding is about; stable. `docs/certificates.md` shows what leads to each. */
export type FindingKind =
  | 'size'
  | 'json'
  | 'envelope'
  | 'payload-type'
  | 'signature'
  | 'format'
  | 'version'
  | 'contract'
  | 'log'
  | 'report'
  | 'time'
  | 'waiver';

/** A finding that ends the belief in a certificate. */
export const breaks = weighing('breaks');

/** A finding that leaves open whether a certificate holds. */
export const unclear = weighing('unclear');

/** A finding that takes nothing from a certificate. */
export const notice = weighing('notice');

function weighing(weight: CertificateFinding['weight']) {
  return (kind: FindingKind, where: string, sentence: string): CertificateFinding => ({
    kind,
    weight,
    sentence: shorten(sentence, 2000),
    where: shorten(where, 500),
  });
}

/** Ends a verification with its finding. */
export class Refusal extends Error {
  readonly finding: CertificateFinding;

  constructor(finding: CertificateFinding) {
    super(finding.sentence);
    this.finding = finding;
  }
}

/** A text that may quote the certificate, and so may have any length. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}
