export { readEnvelope } from './envelope/envelope.ts';
export type { CertificateFinding } from './envelope/finding.ts';
export type { SignatureState } from './envelope/signature-check.ts';
export {
  createKeyPair,
  parseSigningKey,
  parseVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from './envelope/signing-key.ts';
export { decodeUtf8 } from './envelope/untrusted-json.ts';
export { renderBadge } from './page/badge.ts';
export { renderCertificatePage } from './page/page.ts';
export {
  type Certificate,
  type CertificateParts,
  composeCertificate,
} from './predicate/compose-certificate.ts';
export { groupByReason, listShortfalls } from './predicate/level.ts';
export { type Citation, citation, digestPayload, listMissing } from './shards/citation.ts';
export { describeMerged } from './shards/merged-certificate.ts';
export { findFault, parseSelftest } from './predicate/predicate.ts';
export type {
  Claims,
  Predicate,
  SelftestRecord,
  SubjectKind,
  Suite,
} from './predicate/predicate.ts';
export { claimReport } from './predicate/report-claims.ts';
export {
  describeLevel,
  describeSelftest,
  describeSuite,
  describeTime,
  levelSentences,
  limits,
  listSettings,
  nameTarget,
  showInstant,
  subjectOf,
  summariseVerdicts,
} from './predicate/summary.ts';
export { rulesVersion } from './rules-version.ts';
export { recomputeShards } from './verification/recompute-shards.ts';
export {
  type ShardCertificate,
  type ShardFile,
  verifyShard,
} from './verification/shard-certificate.ts';
export type { Recomputed } from './verification/recomputation.ts';
export {
  describeReport,
  describeRun,
  recomputeRun,
  recomputeWith,
} from './verification/run-certificate.ts';
export { findExcess, refuseSize } from './verification/opening.ts';
export { type Verification, isAuthenticated } from './verification/outcome.ts';
export { type VerificationOptions, verifyCertificate } from './verification/verification.ts';
