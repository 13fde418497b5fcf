import { jsonEquals } from '../../contract/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { type CertificateFinding, breaks, notice, unclear } from '../envelope/finding.ts';
import { countEntries, isInForce, settleLevel } from '../predicate/level.ts';
import { checkChain } from '../envelope/log-chain.ts';
import type { Claims, Predicate, Suite } from '../predicate/predicate.ts';
import { compareClaims, type Recomputed } from './recomputation.ts';
import { judgeMembers, openCertificate, type Opened } from './opening.ts';
import { conclude, type Verification } from './outcome.ts';
import { type SelftestKnowledge, checkSelftest } from './selftest-check.ts';
import { listMissing } from '../shards/citation.ts';
import { describeSuite, isSameSuite } from '../predicate/summary.ts';
import type { VerifyingKey } from '../envelope/signing-key.ts';
import { nameSubject, type Statement } from '../predicate/statement.ts';

export interface VerificationOptions extends SelftestKnowledge {
  /** Each of these must have signed. Empty: signatures are named and not compared. */
  readonly keys: readonly VerifyingKey[];
  readonly contract: Claims['contract'];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Runs the checks again over the log. May throw: that is told as a finding. */
  readonly recompute: (predicate: Predicate) => Promise<Recomputed>;
}

/** Verifies the bytes of a certificate. Never throws for what stands in them. */
export function verifyCertificate(
  bytes: Uint8Array,
  options: VerificationOptions,
): Promise<Verification> {
  // What is read is not needed any more once it is understood: a log takes its place to judge.
  const opened = openCertificate(bytes, options.keys);
  return 'outcome' in opened ? Promise.resolve(opened) : judgeOpened(opened, options);
}

async function judgeOpened(
  { statement, signatures, findings, checks }: Opened,
  options: VerificationOptions,
): Promise<Verification> {
  const inside = await judgeStatement(statement, options);
  return conclude([...findings, ...inside.findings], {
    signatures,
    checks: {
      ...checks,
      chain: true,
      recomputation: inside.isRecomputed,
      selftest: inside.isSelftestProved,
    },
    predicate: inside.predicate,
  });
}

async function judgeStatement(
  statement: Statement,
  options: VerificationOptions,
): Promise<{
  readonly findings: readonly CertificateFinding[];
  readonly isRecomputed: boolean;
  readonly isSelftestProved: boolean;
  readonly predicate: Predicate;
}> {
  const { predicate } = statement;
  const place = [
    ...judgeContract(predicate.contract, options.contract),
    ...judgeSuite(predicate.suite, options.suite),
  ];
  const isAtHand = place.length === 0;
  const {
    findings: again,
    claims,
    isRecomputed,
  } = isAtHand
    ? await recompute(predicate, options)
    : { findings: [], claims: undefined, isRecomputed: false };
  // What the log comes to says more than sums that do not fit.
  const sums = judgeTallies(predicate).filter(({ kind }) =>
    again.every((other) => other.kind !== kind && other.kind !== 'log'),
  );
  const findings = [
    ...judgeMembers(statement),
    ...judgeSubject(statement),
    ...checkChain(predicate.log),
    ...place,
    ...again,
    ...sums,
  ];
  const selftest = checkSelftest(predicate, options);
  const notes = [
    ...judgeStart(predicate, options.now),
    ...judgeWaivers(predicate, options.now),
    ...selftest.findings,
  ];
  const isBroken = findings.some(({ weight }) => weight === 'breaks');
  return {
    findings: [...findings, ...notes],
    isRecomputed,
    isSelftestProved: selftest.isProved,
    predicate: isBroken ? predicate : { ...predicate, ...claims },
  };
}

function judgeSubject({ subject, predicate }: Statement): readonly CertificateFinding[] {
  const isSame =
    subject.digest === predicate.log.head && subject.name === nameSubject(predicate.target);
  const sentence = 'The subject of the statement is not its target and the head of its log.';
  return isSame ? [] : [breaks('subject', 'subject', sentence)];
}

/** Without the checks: counts and level follow from the verdicts, evidence stands in the log. */
function judgeTallies(predicate: Predicate): readonly CertificateFinding[] {
  const { counts, level, verdicts, waivers, log, run } = predicate;
  const stray = verdicts.find(({ evidence, failures }) =>
    [...evidence, ...failures.flatMap((each) => each.evidence)].some(
      (index) => index >= log.entries.length,
    ),
  );
  const settled = settleLevel(verdicts, waivers, listMissing(predicate), run.inconclusive);
  const odd = 'The counts do not match the verdicts in the certificate.';
  const other = `The level is ${level} in the certificate, but its verdicts and waivers give ${settled}.`;
  const missing = `The verdict of ${stray?.id ?? ''} names an entry that the log does not have.`;
  return [
    ...(jsonEquals(counts, countEntries(verdicts)) ? [] : [breaks('counts', 'counts', odd)]),
    ...(level === settled ? [] : [breaks('level', 'level', other)]),
    ...(stray === undefined ? [] : [breaks('verdict', `verdicts (${stray.id})`, missing)]),
  ];
}

function judgeContract(
  said: Claims['contract'],
  found: Claims['contract'],
): readonly CertificateFinding[] {
  const [one, other] = [said, found].map(({ title, version }) => `${title} ${version}`);
  const another = `It was made for another version of the document: ${one} with the SHA-256 ${said.digest}. Pass that document with --contract.`;
  if (said.digest !== found.digest) return [unclear('contract', 'contract', another)];
  const misnamed = `The document of that SHA-256 is ${other}, and not ${one}.`;
  return said.title === found.title && said.version === found.version
    ? []
    : [breaks('contract', 'contract', misnamed)];
}

function judgeSuite(said: Suite, found: Suite): readonly CertificateFinding[] {
  if (isSameSuite(said, found)) return [];
  const sentence = `It was made by another version of the suite, ${describeSuite(said)}; this is ${describeSuite(found)}. Only the version that made it can compute its verdicts again.`;
  return [unclear('suite', 'suite', sentence)];
}

async function recompute(
  predicate: Predicate,
  options: VerificationOptions,
): Promise<{
  readonly findings: readonly CertificateFinding[];
  readonly claims: Claims | undefined;
  readonly isRecomputed: boolean;
}> {
  try {
    const again = await options.recompute(predicate);
    const findings = compareClaims({ ...predicate, baseUrl: predicate.target.baseUrl }, again);
    const claims = again.kind === 'unreadable' ? undefined : again.claims;
    const isRecomputed = again.kind === 'recomputed' || claims !== undefined;
    return { findings, claims, isRecomputed };
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'the checks failed';
    const finding = breaks('log', 'log', `The log cannot be judged again: ${cause}.`);
    return { findings: [finding], claims: undefined, isRecomputed: false };
  }
}

/** A run that is still to come: one of the two clocks is wrong, and it cannot be said which. */
function judgeStart({ run }: Predicate, now: number): readonly CertificateFinding[] {
  if (Date.parse(run.startedAt) - now <= certificateLimits.futureMilliseconds) return [];
  const sentence = `Its start time ${run.startedAt} is in the future: this machine's clock shows ${new Date(now).toISOString()}.`;
  return [unclear('run', 'run.startedAt', sentence)];
}

/** Waivers that were in force at the time of the run, and are no longer. */
function judgeWaivers({ waivers }: Predicate, now: number): readonly CertificateFinding[] {
  const today = new Date(now).toISOString().slice(0, 10);
  return waivers
    .filter((waiver) => isInForce(waiver) && waiver.expires < today)
    .map(({ requirement, expires }) =>
      notice(
        'waiver',
        `waivers (${requirement})`,
        `The waiver for ${requirement} was in force during the run, but expired on ${expires}.`,
      ),
    );
}
