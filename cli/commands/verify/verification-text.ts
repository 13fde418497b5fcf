import {
  type CertificateFinding,
  type Predicate,
  type SignatureState,
  type Verification,
  describeLevel,
  describeSelftest,
  describeSuite,
  describeTime,
  isAuthenticated,
  groupByReason,
  levelSentences,
  limits,
  listMissing,
  listSettings,
  listShortfalls,
  showInstant,
  subjectOf,
  summariseVerdicts,
} from '../../../certificate/index.ts';
import { type Paint, type TextLayout, wrapWords } from '../../../report/index.ts';
import {
  type VisibleText,
  joinShown,
  padShown,
  reshape,
  show,
  showLine,
} from '../../../page/view/visible.ts';

/** A verification for an auditor. Nothing in the certificate can move the cursor. */
export function renderVerification(
  file: string,
  verification: Verification,
  layout: TextLayout,
): VisibleText {
  const { predicate, findings } = verification;
  const limit = predicate && limits[subjectOf(predicate.kind)];
  const parts = [
    renderHeadline(file, verification, layout.paint),
    ...renderSection(
      'Claimed',
      predicate === undefined ? [] : listClaims(predicate, verification.checks.selftest),
      layout,
    ),
    ...renderSection('Checked', listChecks(verification), layout),
    ...weights.flatMap((weight) => renderFindings(weight, findings, layout)),
    ...renderSection(
      'What no certificate can prove',
      limit === undefined ? [] : [['', limit]],
      layout,
    ),
  ];
  return show`${joinShown(parts, '\n\n')}\n`;
}

function renderHeadline(file: string, verification: Verification, paint: Paint): VisibleText {
  const { outcome, predicate, findings } = verification;
  const name = showLine(file);
  const problems = findings.filter(({ weight }) => weight === 'breaks').length;
  if (outcome === 'broken')
    return paint.bad(
      show`${name} is INVALID: ${problems === 1 ? '1 problem' : show`${problems} problems`} found.`,
    );
  if (outcome === 'unclear')
    return paint.doubtful(show`${name}: INCONCLUSIVE, it cannot be verified here.`);
  const level = predicate === undefined ? 'nothing' : showLine(describeLevel(predicate));
  if (!isAuthenticated(verification))
    return paint.doubtful(
      show`${name} is NOT AUTHENTICATED: its content is consistent (level: ${level}), but its signature was not checked. Pass the key of the signer with --public-key.`,
    );
  const isPlain = predicate?.waivers.length === 0;
  return predicate?.level === 'conforms'
    ? (isPlain ? paint.good : paint.doubtful)(show`${name} is valid. Level: ${level}.`)
    : paint.bad(show`${name} is valid, but its level is ${level}, not "conforms".`);
}

type Fact = readonly [name: string, text: string];

function listClaims(predicate: Predicate, isSelftestProved: boolean): readonly Fact[] {
  const { target, contract, suite, run, level, verdicts, waivers } = predicate;
  const place = target.baseUrl === null ? '' : ` at ${target.baseUrl}`;
  const end = run.endedEarly === null ? '' : `; ended early: ${run.endedEarly}`;
  const settings = listSettings(predicate.configuration).map((setting) => setting.join(' '));
  const { passed, failed, advised, waived, observed, notTested, notApplicable } =
    summariseVerdicts(verdicts);
  const numbers = `${passed.length} passed, ${failed.length} failed, ${waived.length} waived, ${notTested.length} not tested, ${observed.length} open${advised.length > 0 ? `, ${advised.length} advised` : ''}${notApplicable.length > 0 ? `, ${notApplicable.length} not applicable` : ''}.`;
  return [
    [
      subjectOf(predicate.kind),
      `${target.name} ${target.version}${place}, as named by whoever ran the suite`,
    ],
    ['contract', `${contract.title} ${contract.version}, SHA-256 ${contract.digest}`],
    ['run', `${showInstant(run.startedAt)}, ${describeTime(predicate)}${end}`],
    ['settings', settings.join(', ')],
    ['suite', describeSuite(suite)],
    ['', describeSelftest(predicate, isSelftestProved)],
    ['level', `${describeLevel(predicate)}. ${levelSentences[level]}`],
    ['', numbers],
    ...(level === 'conforms'
      ? []
      : shorten(
          // Those that are not tested follow, each with its name.
          listShortfalls(
            verdicts.filter(({ verdict }) => verdict !== 'not-tested'),
            waivers,
            listMissing(predicate),
            predicate.run.inconclusive,
          ),
        ).map((each): Fact => ['', `- ${each}`])),
    ...groupByReason(notTested).map(({ reason, ids }): Fact => [
      '',
      `not tested (${reason}): ${shorten(ids).join(', ')}`,
    ]),
    ...groupByReason(notApplicable).map(({ reason, ids }): Fact => [
      '',
      `not applicable (${reason}): ${shorten(ids).join(', ')}`,
    ]),
    ...waivers.map(({ requirement, reason, owner, expires, state }): Fact => [
      'waiver',
      `${requirement}: ${reason} (${owner}, until ${expires}): ${state}`,
    ]),
  ];
}

function listChecks({ predicate, signatures, checks, findings }: Verification): readonly Fact[] {
  const found = (...kinds: readonly CertificateFinding['kind'][]): string =>
    findings.some(({ kind, weight }) => weight === 'breaks' && kinds.includes(kind))
      ? ': WRONG, see below.'
      : ': right.';
  const signed = describeSignatures(signatures, checks.keys);
  if (predicate === undefined) return [...signed, ['content', 'Not checked: see below.']];
  return [
    ...signed,
    [
      'chain',
      `Each of the ${predicate.log.entries.length} log entries follows from the one before${found('chain', 'subject')}`,
    ],
    [
      'verdicts',
      checks.recomputation
        ? `${predicate.kind === 'shards' ? 'The certificates that it cites were verified and merged again' : 'The suite was run again over the log'}; every entry, verdict, count, waiver and the level were compared${found('shard', 'log', 'verdict', 'reason', 'counts', 'level', 'waiver', 'run', 'configuration')}`
        : 'Not computed again, see below.',
    ],
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
  const shown = signatures.slice(0, most).map(({ keyid, signer }, index): Fact => {
    const isAgain = signatures.slice(0, index).some((other) => other.signer === signer);
    const proved = `The key ${signer} signed it${isAgain ? ' again, which counts once' : ''}.`;
    return [
      index === 0 ? 'signatures' : '',
      signer === undefined ? describeUnproved(keyid, keys) : proved,
    ];
  });
  return signatures.length > most
    ? [...shown, ['', `and ${signatures.length - most} more`]]
    : shown;
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
    wrapWords(showLine(abridge(text)), Math.max(30, width - indent)).map((line, index) => {
      const head = padShown(index === 0 ? showLine(name) : show``, indent - 2);
      return reshape(show`  ${head}${line}`, (shown) => shown.trimEnd());
    }),
  );
  return [joinShown([paint.strong(showLine(title)), ...lines], '\n')];
}

/** Longest fact that is shown whole: a certificate may have hundreds that are ten times as long. */
const mostShown = 1000;

function abridge(text: string): string {
  const rest = text.length - mostShown;
  return rest > 0
    ? `${text.slice(0, mostShown).toWellFormed()}… and ${rest.toLocaleString('en')} characters more`
    : text;
}

/** Most findings of one weight, and signatures, that are shown; a forged log can have thousands. */
const most = 20;

function renderFindings(
  [weight, title, tone]: (typeof weights)[number],
  all: readonly CertificateFinding[],
  { width, paint }: TextLayout,
): readonly VisibleText[] {
  const findings = all.filter((finding) => finding.weight === weight);
  if (findings.length === 0) return [];
  const lines = findings.slice(0, most).flatMap(({ where, sentence }) => {
    const wrapped = wrapWords(showLine(sentence), Math.max(30, width - 4));
    return [show`  ${paint[tone](showLine(where))}`, ...wrapped.map((line) => show`    ${line}`)];
  });
  const more = findings.length > most ? [show`  and ${findings.length - most} more`] : [];
  return [joinShown([paint.strong(showLine(title)), ...lines, ...more], '\n')];
}

const weights = [
  ['breaks', 'Found', 'bad'],
  ['unclear', 'Inconclusive', 'doubtful'],
  ['notice', 'Notes', 'doubtful'],
] as const;

function shorten(list: readonly string[]): readonly string[] {
  return list.length > 8 ? [...list.slice(0, 8), `and ${list.length - 8} more`] : list;
}
