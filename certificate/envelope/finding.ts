import { cutText } from '../../report/index.ts';

/** A finding of the verification, as a value. */
export interface CertificateFinding {
  readonly kind: FindingKind;
  /**
   * `breaks`: the certificate is invalid. `unclear`: inconclusive on this machine. `notice`: valid,
   * but readers should know this.
   */
  readonly weight: 'breaks' | 'unclear' | 'notice';
  /** Sentence for people. May quote the certificate, so escape it. */
  readonly sentence: string;
  /** JSON pointer into the envelope or the payload; `file` for the whole file. */
  readonly where: string;
  /** The value in the certificate and the value from the log, as JSON. */
  readonly difference?: Readonly<Record<'certificate' | 'log', string>>;
  /** Version of the package that made it, if it is another one. */
  readonly version?: string;
}

/** Subject of a finding; stable. `docs/certificates.md` lists what leads to each. */
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

/** A finding that makes a certificate invalid. */
export const breaks = weighing('breaks');

/** A finding that makes the verification inconclusive. */
export const unclear = weighing('unclear');

/** A finding that does not affect validity. */
export const notice = weighing('notice');

function weighing(weight: CertificateFinding['weight']) {
  return (kind: FindingKind, where: string, sentence: string): CertificateFinding => ({
    kind,
    weight,
    sentence: cutText(sentence, 2000),
    where: cutText(where, 500),
  });
}

/** Ends the verification with a finding. */
export class Refusal extends Error {
  readonly finding: CertificateFinding;

  constructor(finding: CertificateFinding) {
    super(finding.sentence);
    this.finding = finding;
  }
}
