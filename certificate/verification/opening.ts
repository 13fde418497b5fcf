import { certificateLimits } from '../../contract/limits/index.ts';
import { type Envelope, readEnvelope } from '../envelope/envelope.ts';
import { type CertificateFinding, breaks, notice, unclear } from '../envelope/finding.ts';
import {
  checkSignatures,
  findSignedExcess,
  type SignatureState,
} from '../envelope/signature-check.ts';
import type { VerifyingKey } from '../envelope/signing-key.ts';
import { decodeUtf8, type Read, refuse } from '../envelope/untrusted-json.ts';
import { payloadType, readStatement, type Statement } from '../predicate/statement.ts';
import { digestPayload } from '../shards/citation.ts';
import { conclude, noChecks, type Verification } from './outcome.ts';
import { findLargeRun } from './run-size.ts';

/** A certificate whose envelope was checked, and whose statement can be read. */
export interface Opened extends Pick<Verification, 'signatures' | 'findings' | 'checks'> {
  readonly statement: Statement;
}

/** Reads a certificate and checks its signatures; what was found where it cannot be judged further. */
export function openCertificate(
  bytes: Uint8Array,
  keys: readonly VerifyingKey[],
): Opened | Verification {
  if (bytes.length > certificateLimits.fileBytes) return refuseSize(bytes.length, keys.length);
  const envelope = decodeEnvelope(bytes);
  if (envelope.kind === 'refused') return conclude([envelope.finding]);
  const heavy = findSignedExcess(envelope.value, keys.length);
  if (heavy !== undefined) return conclude([heavy]);
  const { states: signatures, findings } = checkSignatures(envelope.value, keys);
  const checks = { ...noChecks, keys: keys.length };
  const outside = [...findings, ...judgeEnvelope(envelope.value)];
  if (envelope.value.payloadType !== payloadType) {
    const sentence = `The payload type is not ${payloadType}.`;
    const finding = breaks('payload-type', 'payloadType', sentence);
    return conclude([...outside, finding], { signatures, checks });
  }
  const statement = readStatement(envelope.value.payload);
  if (statement.kind === 'refused')
    return conclude([...outside, statement.finding], { signatures, checks });
  const large = findLargeRun(statement.value.predicate);
  if (large !== undefined) return conclude([...outside, large], { signatures, checks });
  return { statement: statement.value, signatures, findings: outside, checks };
}

function decodeEnvelope(bytes: Uint8Array): Read<Envelope> {
  const text = decodeUtf8(bytes);
  return text === undefined
    ? refuse(breaks('json', 'file', 'It is not UTF-8.'))
    : readEnvelope(text);
}

/** What is said of a file with more bytes than are read. */
export function refuseSize(size: number, keys: number): Verification {
  const sentence = `It is too large: it has ${size.toLocaleString('en')} bytes or more, and at most ${certificateLimits.fileBytes.toLocaleString('en')} are read.`;
  return conclude([unclear('size', 'file', sentence)], { checks: { ...noChecks, keys } });
}

/** Why the bytes of a certificate are too large to be verified, in a sentence; else undefined. */
export function findExcess(bytes: Uint8Array): string | undefined {
  if (bytes.length > certificateLimits.fileBytes)
    return refuseSize(bytes.length, 0).findings[0]?.sentence;
  const envelope = decodeEnvelope(bytes);
  const read = envelope.kind === 'read' ? readStatement(envelope.value.payload) : envelope;
  const finding = read.kind === 'refused' ? read.finding : findLargeRun(read.value.predicate);
  return finding?.kind === 'size' ? finding.sentence : undefined;
}

/** The SHA-256 of what is signed, and which signatures are of keys. Throws nothing: see `verifyCertificate`. */
export function describeSigned(
  bytes: Uint8Array,
  keys: readonly VerifyingKey[],
): { readonly digest: string; readonly signatures: readonly SignatureState[] } {
  const envelope = decodeEnvelope(bytes);
  if (envelope.kind === 'refused') return { digest: '', signatures: [] };
  const { states: signatures } = checkSignatures(envelope.value, keys);
  return { digest: digestPayload(envelope.value.payload), signatures };
}

function judgeEnvelope({ unknown }: Envelope): readonly CertificateFinding[] {
  return nameUnknown('envelope', unknown, 'that no signature covers');
}

export function judgeMembers({ unknown }: Statement): readonly CertificateFinding[] {
  return nameUnknown('statement', unknown, 'that in-toto does not name');
}

/** Most members that are named one by one. */
const mostNamed = 10;

/** One notice for each member that is ignored, as DSSE and in-toto have it; the rest are counted. */
function nameUnknown(
  kind: 'envelope' | 'statement',
  unknown: readonly string[],
  which: string,
): readonly CertificateFinding[] {
  const named = unknown.slice(0, mostNamed).map((name) => {
    const sentence = `The ${kind} has a member ${show(name)} ${which}: it is ignored.`;
    return notice(kind, show(name), sentence);
  });
  const rest = `The ${kind} has ${unknown.length - mostNamed} more members ${which}: they are ignored.`;
  return unknown.length > mostNamed ? [...named, notice(kind, kind, rest)] : named;
}

function show(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
