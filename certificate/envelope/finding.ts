/** What the verification of a certificate found, as a value. */
export interface CertificateFinding {
  readonly kind: FindingKind;
  /**
   * `breaks`: the certificate does not hold. `unclear`: that is inconclusive here.
   * `notice`: it holds, and a reader should know this.
   */
  readonly weight: 'breaks' | 'unclear' | 'notice';
  /** One sentence for people, with its full stop. May quote the certificate: show it with care. */
  readonly sentence: string;
  /**
   * The place in the certificate, such as `signatures[1]` or `log[17]`; `file` for the whole. Where
   * the shape is wrong, a JSON pointer into the envelope or its payload.
   */
  readonly where: string;
}

/** What a finding is about; stable. `docs/certificates.md` tells what leads to each. */
export type FindingKind =
  | 'size'
  | 'json'
  | 'envelope'
  | 'signatures'
  | 'signature'
  | 'signer'
  | 'payload-type'
  | 'predicate-type'
  | 'statement'
  | 'predicate'
  | 'subject'
  | 'chain'
  | 'contract'
  | 'suite'
  | 'configuration'
  | 'log'
  | 'verdict'
  | 'reason'
  | 'words'
  | 'counts'
  | 'level'
  | 'waiver'
  | 'run'
  | 'selftest'
  | 'shard';

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
    sentence: cut(sentence),
    where: cut(where),
  });
}

/** Longest text of a finding: it quotes what stands in the certificate. */
const mostShown = 2000;

function cut(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown - 1).toWellFormed()}…` : text;
}
