export { addSignature, type Envelope, readEnvelope } from './envelope.ts';
export {
  type Certificate,
  type CertificateParts,
  composeCertificate,
  signPayload,
} from './compose-certificate.ts';
export type { Finding, FindingKind } from './finding.ts';
export { renderBadge } from './badge.ts';
export { renderCertificatePage } from './page.ts';
export {
  describeLevel,
  describeSelftest,
  levelSentences,
  limits,
  listSettings,
  showInstant,
  summariseVerdicts,
} from './summary.ts';
export { groupByReason, listShortfalls, settleLevel } from './level.ts';
export type {
  CertifiedTarget,
  Claims,
  Level,
  Predicate,
  SelftestRecord,
  SubjectKind,
  Suite,
  VerdictEntry,
  ViolationEntry,
  WaiverEntry,
} from './predicate.ts';
export { parseSelftest } from './read-predicate.ts';
export type { Departure, Recomputed } from './recomputation.ts';
export { claimReport } from './report-claims.ts';
export { describeReport, describeRun, recomputeRun, recomputeWith } from './run-certificate.ts';
export {
  createKeyPair,
  KeyError,
  type KeyPair,
  parseSigningKey,
  parseVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from './signing-key.ts';
export {
  mostBytes,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
} from './verification.ts';
export type { SignatureState } from './signature-check.ts';
