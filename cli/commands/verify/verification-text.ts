import {
  type CertificateFinding,
  type Certified,
  type SignatureState,
  type Verification,
  describeLevel,
  describeLimits,
  describeTime,
  isApplicable,
  isAuthenticated,
  levelSentences,
  listSettings,
  listShortfalls,
  settleLevel,
  showInstant,
  subjectOf,
} from '../../../certificate/index.ts';
import { isNotTested } from '../../../conformance/index.ts';
import {
  listNotTested,
  type Paint,
  summarise,
  type TextLayout,
  wrapWords,
} from '../../../report/index.ts';
import {
  type VisibleText,
  joinShown,
  padShown,
  reshape,
  show,
  showLine,
} from '../../../page/view/visible.ts';

/**
 * A verification for an auditor. Nothing in the certificate can move the cursor.
 *
 * @param command what verifies it, where that is another version of this package
 */
export function renderVerification(
  file: string,
  verification: Verification,
  command: VisibleText | undefined,
  layout: TextLayout,
): VisibleText {
  const { certified, findings, outcome } = verification;
  const shown = outcome === 'holds' ? certified : undefined;
  const { paint } = layout;
  const parts = [
    renderHeadline(file, verification, paint),
    ...renderSection('Certified', shown === undefined ? [] : listFacts(shown), layout),
    ...renderSection('Checked', listChecks(verification), layout),
    ...weights.flatMap((weight) => renderFindings(weight, findings, layout)),
    // Of a file that is not what was signed, no version is worth a try.
    ...(command === undefined || outcome === 'broken'
      ? []
      : [show`${paint.strong(show`Verify it with`)}\n  ${command}`]),
    ...renderSection(
      'What no certificate can prove',
      shown === undefined ? [] : [['', describeLimits(shown.report)]],
      layout,
    ),
  ];
  return show`${joinShown(parts, '\n\n')}\n`;
}

function renderHeadline(file: string, verification: Verification, paint: Paint): VisibleText {
  const { outcome, certified } = verification;
  const name = showLine(file);
  if (outcome === 'broken' || (outcome === 'holds' && certified === undefined))
    return paint.bad(show`${name} is INVALID.`);
  if (outcome === 'unclear' || certified === undefined)
    return paint.doubtful(show`${name}: INCONCLUSIVE, it cannot be verified here.`);
  const { report } = certified;
  const level = showLine(describeLevel(report));
  if (!isAuthenticated(verification)) {
    const reason =
      verification.signatures?.length === 0
        ? show`it is not signed: anybody could have made it.`
        : show`its signature was not checked. Pass the key of the signer with --public-key.`;
    return paint.doubtful(
      show`${name} is NOT AUTHENTICATED: its content is consistent (level: ${level}), but ${reason}`,
    );
  }
  const isPlain = report.waivers.length === 0;
  return settleLevel(report) === 'conforms'
    ? (isPlain ? paint.good : paint.doubtful)(show`${name} is valid. Level: ${level}.`)
    : paint.bad(show`${name} is valid, but its level is ${level}, not "conforms".`);
}

type Fact = readonly [name: string, text: string];

function listFacts({ facts, report }: Certified): readonly Fact[] {
  const { contract, run, verdicts, waivers, client, target } = report;
  const place = client === undefined ? ` at ${target.baseUrl}` : '';
  const end = run.endedEarly === undefined ? '' : `; ended early: ${run.endedEarly}`;
  const settings = listSettings(facts.settings).map((setting) => setting.join(' '));
  const { passed, failed, advised, waived, open } = summarise(report);
  const untested = verdicts.filter(isNotTested);
  const notTested = untested.filter(isApplicable);
  const notApplicable = untested.filter((verdict) => !isApplicable(verdict));
  const numbers = `${passed} passed, ${failed} failed, ${waived} waived, ${notTested.length} not tested, ${open} open${advised > 0 ? `, ${advised} advised` : ''}${notApplicable.length > 0 ? `, ${notApplicable.length} not applicable` : ''}.`;
  // Those that are not tested follow, each with its name.
  const shortfalls = listShortfalls({
    ...report,
    verdicts: verdicts.filter((verdict) => !isNotTested(verdict)),
  });
  return [
    [
      subjectOf(report),
      `${facts.target.name} ${facts.target.version}${place}, as named by whoever ran the suite`,
    ],
    ['contract', `${contract.title} ${contract.version}, SHA-256 ${contract.digest}`],
    ['run', `${showInstant(run.startedAt)}, ${describeTime(report)}${end}`],
    ['settings', settings.join(', ')],
    ['log', `SHA-256 ${facts.log}`],
    ['level', `${describeLevel(report)}. ${levelSentences[settleLevel(report)]}`],
    ['', numbers],
    ...shorten(shortfalls).map((each): Fact => ['', `- ${each}`]),
    ...listNotTested({ verdicts: notTested }).map(({ reason, ids }): Fact => [
      '',
      `not tested (${reason}): ${shorten(ids).join(', ')}`,
    ]),
    ...listNotTested({ verdicts: notApplicable }).map(({ reason, ids }): Fact => [
      '',
      `not applicable (${reason}): ${shorten(ids).join(', ')}`,
    ]),
    ...waivers.map(({ waiver, state }): Fact => [
      'waiver',
      `${waiver.requirement}: ${waiver.reason} (${waiver.owner}, until ${waiver.expires}): ${state}`,
    ]),
  ];
}

function listChecks({ signatures, keys, certified }: Verification): readonly Fact[] {
  const judged = `The log of ${certified?.report.exchanges.length} requests was judged again, and the report in the certificate is the same.`;
  return [
    ...describeSignatures(signatures, keys),
    ['report', certified === undefined ? 'Not confirmed, see below.' : judged],
  ];
}

function describeSignatures(
  signatures: readonly SignatureState[] | undefined,
  keys: number,
): readonly Fact[] {
  if (signatures === undefined)
    return [['signatures', 'Not checked, because they could not be read.']];
  if (signatures.length === 0)
    return [['signatures', 'It is UNSIGNED: anybody could have made it.']];
  return signatures.map(({ keyid, signer }, index): Fact => [
    index === 0 ? 'signatures' : '',
    signer === undefined ? describeUnproved(keyid, keys) : `The key ${signer} signed it.`,
  ]);
}

function describeUnproved(keyid: string, keys: number): string {
  const name = keyid === '' ? 'an unnamed key' : `the key ${keyid}`;
  return `It claims to be signed by ${name}: ${keys === 0 ? 'NOT CHECKED, because no --public-key was given' : 'the signature matches NONE of the given keys'}.`;
}

/** A title and its facts; nothing where there are none. */
function renderSection(
  title: string,
  facts: readonly Fact[],
  { width, paint }: TextLayout,
): readonly VisibleText[] {
  if (facts.length === 0) return [];
  const indent = facts.every(([name]) => name === '') ? 2 : 14;
  const lines = facts.flatMap(([name, text]) =>
    wrapBelow(abridge(text), width - indent).map((line, index) => {
      const head = padShown(index === 0 ? showLine(name) : show``, indent - 2);
      return reshape(show`  ${head}${line}`, (shown) => shown.trimEnd());
    }),
  );
  return [joinShown([paint.strong(showLine(title)), ...lines], '\n')];
}

function wrapBelow(text: string, width: number): readonly VisibleText[] {
  return wrapWords(showLine(text), Math.max(30, width));
}

/** Longest fact that is shown whole: a log may have texts that are much longer. */
const mostShown = 1000;

function abridge(text: string): string {
  const rest = text.length - mostShown;
  return rest > 0
    ? `${text.slice(0, mostShown).toWellFormed()}… and ${rest.toLocaleString('en')} characters more`
    : text;
}

function renderFindings(
  [weight, title, tone]: (typeof weights)[number],
  all: readonly CertificateFinding[],
  { width, paint }: TextLayout,
): readonly VisibleText[] {
  const findings = all.filter((finding) => finding.weight === weight);
  if (findings.length === 0) return [];
  const lines = findings.flatMap(({ where, sentence, difference: found }) => {
    const sides = found && [`certificate: ${found.certificate}`, `log: ${found.log}`];
    const texts = [sentence, ...(sides ?? [])].flatMap((text) => wrapBelow(text, width - 4));
    return [show`  ${paint[tone](showLine(where))}`, ...texts.map((line) => show`    ${line}`)];
  });
  return [joinShown([paint.strong(showLine(title)), ...lines], '\n')];
}

const weights = [
  ['breaks', 'Found', 'bad'],
  ['unclear', 'Inconclusive', 'doubtful'],
  ['notice', 'Notes', 'doubtful'],
] as const;

function shorten(list: readonly string[]): readonly string[] {
  return list.length > 8 ? [...list.slice(0, 8), `and ${list.length - 8} more`] : list;
}
