import {
  type CertificateFinding,
  type Certified,
  describeLevel,
  describeLimits,
  isAuthenticated,
  listSettings,
  settleLevel,
  subjectOf,
  type Verification,
} from '../../../certificate/index.ts';
import {
  describeCounts,
  describeRequests,
  showInstant,
  type TextLayout,
  wrapWords,
} from '../../../report/index.ts';
import { joinSections, renderSection } from '../../../report/text/layout.ts';
import { padShown, show, showLine, type VisibleText } from '../../../page/view/visible.ts';
import { listLevel } from '../../report/certificate-files.ts';

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
  const { paint, width } = layout;
  const section = (title: VisibleText, facts: readonly Fact[]): VisibleText =>
    renderSection(
      title,
      facts.flatMap((fact) => renderFact(fact, layout)),
      layout,
    );
  const found = (weight: CertificateFinding['weight'], tone: 'bad' | 'doubtful') =>
    findings
      .filter((finding) => finding.weight === weight)
      .flatMap(({ where, sentence, difference }) => {
        const texts = [sentence];
        if (difference)
          texts.push(`certificate: ${difference.certificate}`, `log: ${difference.log}`);
        const lines = texts.flatMap((text) => wrap(text, width - 4));
        return [show`  ${paint[tone](showLine(where))}`, ...lines.map((line) => show`    ${line}`)];
      });
  const isShown = outcome === 'holds' && certified !== undefined;
  return joinSections([
    renderHeadline(file, verification, layout),
    section(show`Certified`, isShown ? listFacts(certified) : []),
    section(show`Checked`, listChecks(verification)),
    renderSection(show`Found`, found('breaks', 'bad'), layout),
    renderSection(show`Inconclusive`, found('unclear', 'doubtful'), layout),
    renderSection(show`Notes`, found('notice', 'doubtful'), layout),
    // Of a file that is not what was signed, no version is worth a try.
    renderSection(
      show`Verify it with`,
      command === undefined || outcome === 'broken' ? [] : [show`  ${command}`],
      layout,
    ),
    renderSection(
      show`What no certificate can prove`,
      isShown
        ? wrap(describeLimits(certified.report), width - 2).map((line) => show`  ${line}`)
        : [],
      layout,
    ),
  ]);
}

function renderHeadline(
  file: string,
  verification: Verification,
  { paint }: TextLayout,
): VisibleText {
  const { outcome, certified, signatures } = verification;
  const name = showLine(file);
  if (outcome === 'broken' || (outcome === 'holds' && certified === undefined))
    return paint.bad(show`${name} is INVALID.`);
  if (outcome === 'unclear' || certified === undefined)
    return paint.doubtful(show`${name}: INCONCLUSIVE, it cannot be verified here.`);
  const { report } = certified;
  const level = showLine(describeLevel(report));
  if (!isAuthenticated(verification)) {
    const reason =
      signatures?.length === 0
        ? show`it is not signed: anybody could have made it.`
        : show`its signature was not checked. Pass the key of the signer with --public-key.`;
    return paint.doubtful(
      show`${name} is NOT AUTHENTICATED: its content is consistent (level: ${level}), but ${reason}`,
    );
  }
  if (settleLevel(report) !== 'conforms')
    return paint.bad(show`${name} is valid, but its level is ${level}, not "conforms".`);
  const tone = report.waivers.length === 0 ? paint.good : paint.doubtful;
  return tone(show`${name} is valid. Level: ${level}.`);
}

type Fact = readonly [name: string, text: string];

function listFacts({ facts, report }: Certified): readonly Fact[] {
  const { contract, run, waivers, client, target } = report;
  const place = client === undefined ? ` at ${target.baseUrl}` : '';
  const end = run.endedEarly === undefined ? '' : `; ended early: ${run.endedEarly}`;
  const settings = listSettings(facts.settings).map((setting) => setting.join(' '));
  const numbers = `${describeCounts(report)}.`;
  const [level = '', ...reasons] = listLevel(report);
  return [
    [
      subjectOf(report),
      `${facts.target.name} ${facts.target.version}${place}, as named by whoever ran the suite`,
    ],
    ['contract', `${contract.title} ${contract.version}, SHA-256 ${contract.digest}`],
    ['run', `${showInstant(run.startedAt)}, ${describeRequests(report)}${end}`],
    ['settings', settings.join(', ')],
    ['log', `SHA-256 ${facts.log}`],
    ['level', level],
    ...[numbers, ...reasons].map((each): Fact => ['', each]),
    ...waivers.map(({ waiver, state }): Fact => {
      const { requirement, reason, owner, expires } = waiver;
      return ['waiver', `${requirement}: ${reason} (${owner}, until ${expires}): ${state}`];
    }),
  ];
}

function listChecks({ signatures, keys, certified }: Verification): readonly Fact[] {
  const signed = signatures?.map(({ keyid, signer }) => {
    if (signer !== undefined) return `The key ${signer} signed it.`;
    const name = keyid === '' ? 'an unnamed key' : `the key ${keyid}`;
    return `It claims to be signed by ${name}: ${keys === 0 ? 'NOT CHECKED, because no --public-key was given' : 'the signature matches NONE of the given keys'}.`;
  }) ?? ['Not checked, because they could not be read.'];
  const [first = 'It is UNSIGNED: anybody could have made it.', ...more] = signed;
  const judged =
    certified === undefined
      ? 'Not confirmed, see below.'
      : `The log of ${certified.report.exchanges.length} requests was judged again, and the report in the certificate is the same.`;
  return [['signatures', first], ...more.map((each): Fact => ['', each]), ['report', judged]];
}

function renderFact([name, text]: Fact, { width }: TextLayout): readonly VisibleText[] {
  return wrap(text, width - 14).map(
    (line, index) => show`  ${padShown(showLine(index === 0 ? name : ''), 12)}${line}`,
  );
}

/** Longest text that is shown whole: a log may have texts that are much longer. */
const mostShown = 1000;

function wrap(text: string, width: number): readonly VisibleText[] {
  const rest = text.length - mostShown;
  const shown =
    rest > 0
      ? `${text.slice(0, mostShown).toWellFormed()}… and ${rest.toLocaleString('en')} characters more`
      : text;
  return wrapWords(showLine(shown), Math.max(30, width));
}
