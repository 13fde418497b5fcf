import type { JsonObject } from '../../contract/index.ts';
import { type Envelope, type Signature, renderEnvelope, renderPae } from '../envelope/envelope.ts';
import { chainLog } from '../envelope/log-chain.ts';
import type { Predicate } from './predicate.ts';
import type { SigningKey } from '../envelope/signing-key.ts';
import { payloadType, renderStatement } from './statement.ts';

/** What a certificate is composed of: its predicate, with the log still to be chained. */
export interface CertificateParts extends Omit<Predicate, 'log'> {
  readonly entries: readonly JsonObject[];
}

/** A certificate, as data and as the file that proves it. */
export interface Certificate {
  readonly predicate: Predicate;
  /** The ids of the keys that signed; empty for an unsigned one. */
  readonly keyids: readonly string[];
  /** The text of `certificate.json`. */
  readonly text: string;
}

/** Chains the log, and signs with every key given. Without a key it is unsigned. */
export function composeCertificate(
  { entries, ...facts }: CertificateParts,
  keys: readonly SigningKey[],
): Certificate {
  const predicate: Predicate = { ...facts, log: chainLog(entries) };
  const payload = renderStatement(predicate);
  const signatures = keys.map((key) => signPayload({ payloadType, payload }, key));
  return {
    predicate,
    keyids: keys.map(({ keyid }) => keyid),
    text: renderEnvelope({ payloadType, payload, signatures }),
  };
}

export function signPayload(
  { payloadType: type, payload }: Pick<Envelope, 'payloadType' | 'payload'>,
  key: SigningKey,
): Signature {
  return { keyid: key.keyid, sig: key.sign(renderPae(type, payload)) };
}
