import { createHash } from 'node:crypto';
import { type Report, exchange } from '../conformance/index.ts';
import * as codec from '../contract/json/codec.ts';
import type { Contract } from '../contract/contract.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  renderJson,
} from '../contract/json/value.ts';
import { renderCanonicalJson } from '../contract/json/canonical.ts';
import type { TypeOf } from '../contract/json/codec.ts';
import { certificateLimits } from '../contract/limits/index.ts';
import { describeReport } from '../report/index.ts';
import { renderEnvelope, signPayload } from './envelope/envelope.ts';
import { readJson, readShape } from './envelope/json.ts';
import type { SigningKey } from './envelope/signing-key.ts';
import { Refusal, unclear } from './envelope/finding.ts';

/** The media type of the payload: a `report.json` with a member `certificate`. */
export const payloadType = 'application/vnd.petstore-contract.certificate+json';

const { jsonObject, list, object, openObject, orNull, refine, text } = codec;

const name = refine(
  text,
  (found) => found.length <= certificateLimits.targetName && /[^\p{C}\p{Z}]/u.test(found),
  `a visible name of at most ${certificateLimits.targetName} characters`,
);

/** Version of the package, restricted to characters that are safe on a command line. */
const version = refine(
  text,
  (found) => found.length <= 50 && /^\d+\.\d+\.\d+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$/.test(found),
  'a version such as 0.2.0',
);

/** The members that a certificate adds to its report. */
export type CertificateFacts = TypeOf<typeof facts>;

const facts = object({
  /** Version of the package that judged; verdicts depend on it. */
  version,
  /** The target, as named by the person who ran the suite. */
  target: object({ name, version: name }),
  /** `digestLog` of the exchanges. */
  log: refine(text, (found) => /^[0-9a-f]{64}$/.test(found), 'a SHA-256 in hexadecimal'),
  /**
   * The settings of the run, or the record of a client: everything besides contract and responses
   * that decides the result. No key.
   */
  settings: jsonObject,
});

/** A certificate, as data and as the text of its file. */
export interface Certificate {
  readonly report: Report;
  readonly facts: CertificateFacts;
  /** The ids of the keys that signed; empty if unsigned. */
  readonly keyids: readonly string[];
  /** The text of `certificate.json`. */
  readonly text: string;
}

/** The parts of a certificate besides the report. Without a key it is unsigned. */
export interface CertificateParts extends Omit<CertificateFacts, 'log'> {
  readonly keys: readonly SigningKey[];
}

export function composeCertificate(
  report: Report,
  contract: Contract,
  { keys, ...parts }: CertificateParts,
): Certificate {
  const exchanges = report.exchanges.map((each) => exchange.render(each));
  const said: CertificateFacts = { ...parts, log: digestLog(exchanges) };
  const document = { ...reportJson(report, contract), certificate: facts.render(said), exchanges };
  const payload = Buffer.from(renderJson(document));
  const signatures = keys.map((key) => signPayload(payloadType, payload, key));
  return {
    report,
    facts: said,
    keyids: keys.map(({ keyid }) => keyid),
    text: renderEnvelope({ payloadType, payload, signatures }),
  };
}

/** The members of `report.json`, without its exchanges. */
export function reportJson(report: Report, contract: Contract): JsonObject {
  const document = parseJson(JSON.stringify(describeReport(report, contract)));
  const { exchanges: _exchanges, ...members } = isJsonObject(document) ? document : {};
  return members;
}

/**
 * SHA-256 of the exchanges: each as canonical JSON (RFC 8785), followed by a line feed. Throws
 * TypeError for an integer that a double cannot represent.
 */
export function digestLog(exchanges: readonly JsonValue[]): string {
  const digest = createHash('sha256');
  for (const each of exchanges) digest.update(`${renderCanonicalJson(each)}\n`);
  return digest.digest('hex');
}

/** A parsed payload: the report as written, not yet judged. */
export interface SignedReport {
  readonly facts: CertificateFacts;
  /** All members but `certificate` and `exchanges`. */
  readonly members: JsonObject;
  readonly exchanges: readonly JsonValue[];
  readonly document: { readonly digest: string; readonly source: string };
  readonly startedAt: string;
  readonly isOfClient: boolean;
}

const made = openObject({ certificate: openObject({ version }) });

const signed = openObject({
  contract: openObject({
    digest: text,
    source: refine(text, ({ length }) => length <= 1000, 'a text of at most 1000 characters'),
  }),
  client: orNull(text),
  run: openObject({
    startedAt: refine(
      text,
      (found) => !Number.isNaN(Date.parse(found)),
      'a time such as 2026-11-21T02:00:00.000Z',
    ),
  }),
  certificate: facts,
  exchanges: list(jsonObject),
});

/** Reads a payload made by this version of the package. Throws `Refusal` for any other. */
export function readPayload(payload: Buffer, ownVersion: string): SignedReport {
  const value = readJson(payload, 'payload');
  const other = 'The payload is not a report with a certificate';
  // The format of other versions is unknown.
  const { certificate: maker } = readShape(made, value, 'format', other);
  if (maker.version !== ownVersion) {
    const sentence = `It was made by petstore-contract ${maker.version}, and this is ${ownVersion}. Only the version that made it can judge its log again.`;
    const finding = unclear('version', '/certificate/version', sentence);
    throw new Refusal({ ...finding, version: maker.version });
  }
  const { certificate, exchanges, contract, client, run } = readShape(
    signed,
    value,
    'format',
    other,
  );
  const { certificate: _facts, exchanges: _log, ...members } = Object(value);
  return {
    facts: certificate,
    members,
    exchanges,
    document: contract,
    startedAt: run.startedAt,
    isOfClient: client !== null,
  };
}
