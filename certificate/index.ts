export {
  type Certificate,
  type CertificateFacts,
  type CertificateParts,
  composeCertificate,
} from './certificate.ts';
export type { SignatureState } from './envelope/signatures.ts';
export {
  createKeyPair,
  parseSigningKey,
  parseVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from './envelope/signing-key.ts';
export type { CertificateFinding } from './envelope/finding.ts';
export { isApplicable, listShortfalls, settleLevel } from './level.ts';
export { renderBadge } from './badge.ts';
export { renderCertificatePage } from './page.ts';
export {
  describeLevel,
  describeLimits,
  levelSentences,
  listSettings,
  subjectOf,
} from './summary.ts';
export {
  type Certified,
  findExcess,
  isAuthenticated,
  type JudgedAgain,
  refuseSize,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
} from './verification.ts';
