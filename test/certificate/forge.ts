import { parseJson } from '../../contract/json/value.ts';
import { digestLog, payloadType } from '../../certificate/certificate.ts';
import {
  type Envelope,
  readEnvelope,
  renderEnvelope,
  type Signature,
  signPayload,
} from '../../certificate/envelope/envelope.ts';
import type { SigningKey } from '../../certificate/envelope/signing-key.ts';

/** Any JSON value, to change in place. */
export interface Loose {
  [name: string]: unknown;
}

export function openEnvelope(text: string): Envelope {
  return readEnvelope(Buffer.from(text));
}

/** The payload of a certificate, to change in place. */
export function openPayload(text: string): Loose {
  return loose(JSON.parse(openEnvelope(text).payload.toString()));
}

export function signaturesOf(text: string): readonly Signature[] {
  return openEnvelope(text).signatures;
}

/** A certificate of a payload or a text, signed with the keys, or with another's signatures. */
export function closePayload(
  document: Loose | string,
  signers: readonly (SigningKey | Signature)[],
  type = payloadType,
): string {
  const payload = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
  return renderEnvelope({
    payloadType: type,
    payload,
    signatures: signers.map((each) => ('sig' in each ? each : signPayload(type, payload, each))),
  });
}

/** The facts of a certificate besides its report. */
export function factsOf(document: Loose): Loose {
  return loose(document['certificate']);
}

/** Recomputes the digest of the log, as a forger would. */
export function digestAnew(document: Loose): void {
  const exchanges = list(document['exchanges']).map((each) => parseJson(JSON.stringify(each)));
  factsOf(document)['log'] = digestLog(exchanges);
}

/** A value as an object; throws for any other. */
export function loose(value: unknown): Loose {
  if (isLoose(value)) return value;
  throw new Error('That is not an object.');
}

/** A value as an array to change in place; throws for any other. */
export function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error('That is not an array.');
}

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
