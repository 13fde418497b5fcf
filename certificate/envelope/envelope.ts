import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../../contract/index.ts';
import { decodeBase64 } from './base64.ts';
import { breaks } from './finding.ts';
import { type Read, readAs, readJson, refuse } from './untrusted-json.ts';

/**
 * A signed message: the JSON envelope of DSSE 1.0.2 (github.com/secure-systems-lab/dsse,
 * envelope.md). The payload is kept as bytes, and what was verified is what is read.
 */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signatures: readonly Signature[];
  /**
   * Members that no signature covers and that DSSE does not name, at any level. DSSE has readers
   * ignore them.
   */
  readonly unknown: readonly string[];
}

export interface Signature {
  /** A hint at the key, covered by no signature; empty where there is none. */
  readonly keyid: string;
  readonly sig: Buffer;
}

/** More signatures than this are no certificate. */
export const mostSignatures = 100;

/**
 * What is signed: the pre-authentication encoding of the type and the payload (protocol.md,
 * "Signature Definition").
 */
export function renderPae(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** An envelope as a file. Both Base64 texts are of the standard alphabet. */
export function renderEnvelope({
  payloadType,
  payload,
  signatures,
}: Omit<Envelope, 'unknown'>): string {
  return renderFile({
    payload: payload.toString('base64'),
    payloadType,
    signatures: signatures.map(renderSignature),
  });
}

/**
 * The file of an envelope with one signature more; everything else in it stays as it is. The text
 * must be an envelope.
 */
export function addSignature(text: string, signature: Signature): string {
  const read = readJson(text, 'file');
  const object = read.kind === 'read' && isJsonObject(read.value) ? read.value : {};
  const before = object['signatures'];
  return renderFile({
    ...object,
    signatures: [...(isJsonArray(before) ? before : []), renderSignature(signature)],
  });
}

function renderFile(object: JsonObject): string {
  return `${renderJson(object, 2)}\n`;
}

function renderSignature({ keyid, sig }: Signature): JsonObject {
  return { keyid, sig: sig.toString('base64') };
}

/** Reads the file of an envelope. */
export function readEnvelope(text: string): Read<Envelope> {
  const read = readJson(text, 'file');
  if (read.kind === 'refused') return read;
  const { value } = read;
  if (!isJsonObject(value)) return broken('file', 'This is no DSSE envelope: it is no object.');
  const { payload, payloadType, signatures } = value;
  if (typeof payloadType !== 'string')
    return broken('payloadType', 'This is no DSSE envelope: it has no payloadType that is a text.');
  if (typeof payload !== 'string')
    return broken('payload', 'This is no DSSE envelope: it has no payload that is a text.');
  const bytes = decodeBase64(payload);
  if (bytes === undefined) return broken('payload', 'The payload is not Base64.');
  if (!isJsonArray(signatures))
    return broken('signatures', 'This is no DSSE envelope: it has no list of signatures.');
  if (signatures.length > mostSignatures)
    return broken(
      'signatures',
      `It has ${signatures.length} signatures; more than ${mostSignatures} are not read.`,
    );
  const unknown = Object.keys(value).filter(
    (name) => !['payload', 'payloadType', 'signatures'].includes(name),
  );
  return readSignatures(signatures, { payloadType, payload: bytes, unknown });
}

function readSignatures(
  list: readonly JsonValue[],
  envelope: Omit<Envelope, 'signatures'>,
): Read<Envelope> {
  const [signatures, unknown]: [Signature[], string[]] = [[], [...envelope.unknown]];
  for (const [index, each] of list.entries()) {
    const where = `signatures[${index}]`;
    const { keyid = '', sig } = isJsonObject(each) ? each : {};
    if (typeof keyid !== 'string' || keyid.length > 1000)
      return broken(where, 'The keyid of a signature is no text of at most 1000 characters.');
    const bytes = typeof sig === 'string' ? decodeBase64(sig) : undefined;
    if (bytes === undefined) return broken(where, 'A signature has no sig that is Base64.');
    signatures.push({ keyid, sig: bytes });
    if (isJsonObject(each))
      unknown.push(
        ...Object.keys(each)
          .filter((name) => !['keyid', 'sig'].includes(name))
          .map((name) => `${where}.${name}`),
      );
  }
  return readAs({ ...envelope, signatures, unknown });
}

function broken(where: string, sentence: string): Read<never> {
  return refuse(breaks('envelope', where, sentence));
}
