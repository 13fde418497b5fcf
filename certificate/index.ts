export { type Certificate, type CertificateParts, composeCertificate } from './certificate.ts';
export {
  createKeyPair,
  parseSigningKey,
  parseVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from './envelope/signing-key.ts';
export type { CertificateFinding } from './envelope/finding.ts';
export {
  describeLevel,
  describeLimits,
  isApplicable,
  levelSentences,
  listSettings,
  listShortfalls,
  settleLevel,
  subjectOf,
} from './level.ts';
export { renderBadge } from './badge.ts';
export { renderCertificatePage } from './page.ts';
export {
  type Certified,
  findExcess,
  isAuthenticated,
  type JudgedAgain,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
} from './verification.ts';
