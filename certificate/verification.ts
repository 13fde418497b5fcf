import {
  type Departure,
  type Exchange,
  exchangeLog,
  runRecord,
  exchange,
  type Report,
  rerun,
} from '../conformance/index.ts';
import * as codec from '../contract/json/codec.ts';
import type { Contract } from '../contract/contract.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../contract/json/value.ts';
import { certificateLimits } from '../contract/limits/index.ts';
import {
  type CertificateFacts,
  digestLog,
  payloadType,
  readPayload,
  reportJson,
  type SignedReport,
} from './certificate.ts';
import { type Difference, findDifference } from './difference.ts';
import { readEnvelope } from './envelope/envelope.ts';
import { readShape } from './envelope/json.ts';
import { listMissingSigners, type SignatureState, trySignatures } from './envelope/signatures.ts';
import type { VerifyingKey } from './envelope/signing-key.ts';
import { breaks, type CertificateFinding, notice, Refusal, unclear } from './envelope/finding.ts';
import { cutText, isInForce } from '../report/index.ts';
import { findLargeRun } from './run-size.ts';

export interface VerificationOptions {
  /** All of these must have signed. If empty, signatures are named but not checked. */
  readonly keys: readonly VerifyingKey[];
  /** Version of this package. */
  readonly version: string;
  readonly contract: Contract;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Judges the log of a client. */
  readonly judgeClient: JudgeAgain;
}

/** Judges a log. Rejects with `PetstoreError` of code `shape` for settings of another shape. */
export type JudgeAgain = (
  contract: Contract,
  settings: JsonObject,
  exchanges: readonly Exchange[],
) => Promise<JudgedAgain>;

export interface JudgedAgain {
  /** Undefined if the log ends before the run does; the departures say where. */
  readonly report: Report | undefined;
  /** Where the log differs from what a run with these settings sends and sees. */
  readonly departures: readonly Departure[];
}

export interface Verification {
  /**
   * `holds`: the log proves all of it. `broken`: it does not. `unclear`: inconclusive on this
   * machine.
   */
  readonly outcome: 'holds' | 'broken' | 'unclear';
  readonly findings: readonly CertificateFinding[];
  /** Number of given keys. */
  readonly keys: number;
  /** Undefined if the envelope could not be read. */
  readonly signatures: readonly SignatureState[] | undefined;
  /** Version of the package that made it, if it is another one. */
  readonly madeBy: string | undefined;
  /** The report that follows from its log, if the certificate has the same. */
  readonly certified: Certified | undefined;
}

export interface Certified {
  readonly facts: CertificateFacts;
  readonly report: Report;
}

/** Whether one of the given keys signed it. Otherwise anyone could have made it. */
export function isAuthenticated({ signatures = [] }: Verification): boolean {
  return signatures.some(({ signer }) => signer !== undefined);
}

/**
 * Verifies the bytes of a certificate. A file that is too large to read is only reported. Never
 * throws for bad content.
 */
export async function verifyCertificate(
  bytes: Uint8Array | { readonly size: number },
  options: VerificationOptions,
): Promise<Verification> {
  const findings: CertificateFinding[] = [];
  const found: Found = {};
  try {
    // The bytes can be freed once the payload is read: judging the log needs the memory.
    const payload = openCertificate(bytes, options, findings, found);
    const report = await judgeSigned(payload, options);
    findings.push(...listExpired(report, options.now));
    found.certified = { facts: payload.facts, report };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    findings.push(error.finding);
    found.madeBy = error.finding.version;
  }
  return conclude(findings, options.keys.length, found);
}

function findLarge(size: number): CertificateFinding {
  const most = certificateLimits.fileBytes;
  const sentence = `The file is too large: it has ${size.toLocaleString('en')} bytes or more, and at most ${most.toLocaleString('en')} are read.`;
  return unclear('size', 'file', sentence);
}

/** Why a certificate is too large to verify, in a sentence; undefined if it is not. */
export function findExcess(text: string, version: string): string | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length > certificateLimits.fileBytes) return findLarge(bytes.length).sentence;
  try {
    return findLargeRun(readPayload(readEnvelope(bytes).payload, version))?.sentence;
  } catch (error) {
    if (error instanceof Refusal) return error.finding.sentence;
    throw error;
  }
}

interface Found {
  signatures?: readonly SignatureState[];
  certified?: Certified;
  madeBy?: string | undefined;
}

function conclude(
  findings: readonly CertificateFinding[],
  keys: number,
  { signatures, certified, madeBy }: Found,
): Verification {
  const weights = new Set(findings.map(({ weight }) => weight));
  const outcome = weights.has('breaks') ? 'broken' : weights.has('unclear') ? 'unclear' : 'holds';
  return { outcome, findings, keys, signatures, certified, madeBy };
}

/** Reads a certificate and checks its signatures. */
function openCertificate(
  bytes: Uint8Array | { readonly size: number },
  { keys, version }: VerificationOptions,
  findings: CertificateFinding[],
  found: Found,
): SignedReport {
  const size = bytes instanceof Uint8Array ? bytes.length : bytes.size;
  if (!(bytes instanceof Uint8Array) || size > certificateLimits.fileBytes)
    throw new Refusal(findLarge(size));
  const envelope = readEnvelope(bytes);
  found.signatures = trySignatures(envelope, keys);
  findings.push(...listMissingSigners(found.signatures, keys));
  refuseOtherType(envelope.payloadType);
  return readPayload(envelope.payload, version);
}

/** Before 0.2.0, certificates were in-toto Statements. */
const formerType = { payloadType: 'application/vnd.in-toto+json', version: '0.1.0' };

function refuseOtherType(found: string): void {
  if (found === payloadType) return;
  if (found !== formerType.payloadType)
    throw new Refusal(
      breaks('payload-type', '/payloadType', `The payload type is not ${payloadType}.`),
    );
  const sentence = 'It was made before 0.2.0, in another format.';
  const finding = unclear('version', '/payloadType', sentence);
  throw new Refusal({ ...finding, version: formerType.version });
}

/** The report that follows from the log. Throws `Refusal` if the certificate has another one. */
async function judgeSigned(
  signed: SignedReport,
  { contract: given, now, judgeClient }: VerificationOptions,
): Promise<Report> {
  const { facts, document, startedAt, exchanges } = signed;
  const large = findLargeRun(signed);
  if (large !== undefined) throw new Refusal(large);
  if (document.digest !== given.digest) {
    const another = `It is for another document, with the SHA-256 ${cutText(document.digest, 100)}. Pass that document with --contract.`;
    throw new Refusal(unclear('contract', '/contract/digest', another));
  }
  if (Date.parse(startedAt) - now > certificateLimits.futureMilliseconds) {
    const early = `The run started in the future, at ${cutText(startedAt, 100)}: the clock of this machine shows ${new Date(now).toISOString()}.`;
    throw new Refusal(unclear('time', '/run/startedAt', early));
  }
  const digest = tryDigest(exchanges);
  if (digest !== facts.log)
    throw refuseDifference('log', { pointer: '/certificate/log', said: facts.log, found: digest });
  const contract = nameSource(given, document.source);
  const read = readShape(exchangeLog, exchanges, 'log', 'The log cannot be read', '/exchanges');
  const judge = signed.isOfClient ? judgeClient : judgeServer;
  const { report, departures } = await judge(contract, facts.settings, read).catch(refuseLog);
  const [first] = departures;
  if (first !== undefined || report === undefined) {
    const place = first?.exchange === undefined ? '/exchanges' : `/exchanges/${first.exchange}`;
    throw new Refusal(breaks('log', place, first?.sentence ?? 'The log ends before the run does.'));
  }
  const difference = compare(signed, report, contract);
  if (difference !== undefined) throw refuseDifference('report', difference);
  return report;
}

function refuseLog(error: unknown): never {
  const cause = error instanceof Error ? error.message : 'the checks failed';
  const place = hasCode(error, 'shape') ? '/certificate/settings' : '/exchanges';
  throw new Refusal(breaks('log', place, `The log cannot be judged again: ${cause}.`));
}

/** Reruns the suite over the log of a server: the same judges, no network. */
async function judgeServer(
  contract: Contract,
  settings: JsonObject,
  exchanges: readonly Exchange[],
): Promise<JudgedAgain> {
  const record = runRecord.read(settings, '');
  if (record.saved.length > 0)
    throw codec.shapeError('/saved', 'has counterexamples, which are not part of the suite');
  return await rerun(contract, record, exchanges);
}

/** A report names the file of its document, which may have another name on this machine. */
function nameSource(contract: Contract, source: string): Contract {
  if (contract.source === source) return contract;
  const leftOut = contract.leftOut.map((each) =>
    each.file === contract.source ? { ...each, file: source } : each,
  );
  return { ...contract, source, leftOut };
}

function compare(
  { members, exchanges }: SignedReport,
  report: Report,
  contract: Contract,
): Difference | undefined {
  const difference = findDifference(members, reportJson(report, contract));
  if (difference !== undefined) return difference;
  const length = Math.max(exchanges.length, report.exchanges.length);
  for (let index = 0; index < length; index += 1) {
    const own = report.exchanges[index];
    const found = own === undefined ? undefined : exchange.render(own);
    const other = findDifference(exchanges[index], found, `/exchanges/${index}`);
    if (other !== undefined) return other;
  }
  return undefined;
}

function refuseDifference(kind: 'log' | 'report', { pointer, said, found }: Difference): Refusal {
  const sentence = 'The certificate differs from its log.';
  const difference = { certificate: quote(said), log: quote(found) };
  return new Refusal({ ...breaks(kind, pointer, sentence), difference });
}

function quote(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (isJsonArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return `an object with ${Object.keys(value).length} members`;
  return cutText(renderJson(typeof value === 'string' ? cutText(value, 200) : value), 250);
}

function tryDigest(exchanges: readonly JsonValue[]): string | undefined {
  try {
    return digestLog(exchanges);
  } catch {
    return undefined;
  }
}

/** Waivers that were in force at the time of the run but are no longer. */
function listExpired({ waivers }: Report, now: number): readonly CertificateFinding[] {
  const today = new Date(now).toISOString().slice(0, 10);
  return waivers.flatMap((each, index) => {
    const { requirement, expires } = each.waiver;
    const sentence = `The waiver for ${requirement} was in force during the run, but expired on ${expires}.`;
    return isInForce(each) && expires < today
      ? [notice('waiver', `/waivers/${index}`, sentence)]
      : [];
  });
}
