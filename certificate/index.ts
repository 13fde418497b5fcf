export { addSignature, type Envelope, readEnvelope } from './envelope/envelope.ts';
export {
  type Certificate,
  type CertificateParts,
  composeCertificate,
  signPayload,
} from './predicate/compose-certificate.ts';
export type { CertificateFinding, FindingKind } from './envelope/finding.ts';
export { renderBadge } from './page/badge.ts';
export { renderCertificatePage } from './page/page.ts';
export {
  describeLevel,
  describeSelftest,
  levelSentences,
  limits,
  listSettings,
  showInstant,
  summariseVerdicts,
} from './predicate/summary.ts';
export { groupByReason, listShortfalls, settleLevel } from './predicate/level.ts';
export type {
  CertifiedTarget,
  Claims,
  Level,
  Predicate,
  SelftestRecord,
  SubjectKind,
  Suite,
  VerdictEntry,
  FailureEntry,
  WaiverEntry,
} from './predicate/predicate.ts';
export { parseSelftest } from './predicate/predicate.ts';
export { describeSuite } from './predicate/suite.ts';
export { rulesVersion } from './rules-version.ts';
export type { Departure, Recomputed } from './verification/recomputation.ts';
export { claimReport } from './predicate/report-claims.ts';
export {
  describeReport,
  describeRun,
  recomputeRun,
  recomputeWith,
} from './verification/run-certificate.ts';
export {
  createKeyPair,
  type KeyPair,
  parseSigningKey,
  parseVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from './envelope/signing-key.ts';
export {
  mostBytes,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
} from './verification/verification.ts';
export type { SignatureState } from './envelope/signature-check.ts';
