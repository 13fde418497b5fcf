import {
  type CertificateFinding,
  type Certified,
  describeLevel,
  describeLimits,
  isAuthenticated,
  type JudgedAgain,
  listSettings,
  parseVerifyingKey,
  settleLevel,
  subjectOf,
  type Verification,
  verifyCertificate,
} from '../../certificate/index.ts';
import type { Exchange } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { quoteWord } from '../../page/view/quote/shell.ts';
import { joinShown, padShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import {
  cutText,
  describeCounts,
  describeRequests,
  showInstant,
  type TextLayout,
  wrapWords,
} from '../../report/index.ts';
import { joinSections, renderSection } from '../../report/text/layout.ts';
import { readUpTo } from '../io/file.ts';
import { layoutFor } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { sharedFlags } from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { readVersion } from '../package/package-root.ts';
import { listLevel, readKey } from '../report/certificate-files.ts';

/** `petstore verify`: verifies a certificate, and prints what was checked and what was found. */
export const runVerify = createCommand(
  {
    name: 'verify',
    usage: '<certificate.json> [options]',
    description: [
      'Verifies a certificate offline. It checks the signatures, judges the recorded log again, compares the result with the report in the certificate, and shows the first difference. The log of a client is replayed against the mock.',
    ],
    examples: [
      ['certificate.json --public-key acme.pub.pem', 'Verify a certificate and who signed it.'],
    ],
    page: 'certificates.md',
    flags: {
      publicKey: {
        value: '<file>',
        many: true,
        help: 'Public key (PEM) of a required signer. Can be repeated. Without one, the certificate is not authenticated: nothing shows who made it, and the exit code is never 0.',
      },
      contract: {
        value: '<file>',
        help: 'OpenAPI document of the certificate. Default: the bundled openapi.yaml.',
      },
      overlay: sharedFlags.overlay,
    },
    exitCodes: ['valid, and the target conforms', 'not valid, or the target does not conform'],
    readsForeignFiles: true,
  },
  async ({ values: { publicKey, contract: document, overlay }, words: [file = ''] }, io) => {
    const keys = await Promise.all(publicKey.map((key) => readKey(key, parseVerifyingKey)));
    const contract = await loadChosenContract(document, { overlay });
    const version = await readVersion();
    const options = { keys, contract, version, now: Date.now(), judgeClient };
    const read = await readUpTo(file, certificateLimits.fileBytes);
    const verification = await verifyCertificate(read, options);
    const { madeBy } = verification;
    // This command, in the version that made the certificate.
    const words = [
      show`npx petstore-contract@${showLine(madeBy ?? version)} verify ${quoteWord(file)}`,
      ...publicKey.map((key) => show`--public-key ${quoteWord(key)}`),
      ...(document === undefined ? [] : [show`--contract ${quoteWord(document)}`]),
      ...overlay.map((each) => show`--overlay ${quoteWord(each)}`),
    ];
    const command = madeBy === undefined ? undefined : joinShown(words, ' ');
    io.stdout.write(renderVerification(file, verification, command, layoutFor(io)));
    return exitCodeOf(verification);
  },
);

/**
 * The exit code of a verification: 0 it is valid and says `conforms`, 1 it does not, 2
 * inconclusive.
 */
export function exitCodeOf(verification: Verification): number {
  const { outcome, certified } = verification;
  if (outcome === 'unclear') return 2;
  if (outcome === 'holds' && !isAuthenticated(verification)) return 2;
  const isProof = outcome === 'holds' && certified !== undefined;
  return isProof && settleLevel(certified.report) === 'conforms' ? 0 : 1;
}

/** Replays the log of a client against the mock, and judges it by the same rules. */
export async function judgeClient(
  contract: Contract,
  settings: JsonObject,
  exchanges: readonly Exchange[],
): Promise<JudgedAgain> {
  const { clientRecord, rejudge } = await import('../../client/index.ts');
  return await rejudge(contract, clientRecord.read(settings, ''), exchanges);
}

/**
 * A verification as text for an auditor. Text from the certificate cannot control the terminal.
 *
 * @param command command line that verifies it, if another version of this package is needed
 */
function renderVerification(
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
    // If the file is not what was signed, no other version can verify it.
    renderSection(
      show`Verify it with`,
      command === undefined || outcome === 'broken' ? [] : [show`  ${command}`],
      layout,
    ),
    renderSection(
      show`What a certificate cannot prove`,
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
        ? show`it is not signed: anyone could have made it.`
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
      `${facts.target.name} ${facts.target.version}${place}, as named by the person who ran the suite`,
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
    return `It claims a signature by ${name}: ${keys === 0 ? 'NOT CHECKED, because no --public-key was given' : 'the signature matches NONE of the given keys'}.`;
  }) ?? ['Not checked, because they could not be read.'];
  const [first = 'It is UNSIGNED: anyone could have made it.', ...more] = signed;
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

function wrap(text: string, width: number): readonly VisibleText[] {
  // Texts in a log may be much longer than a line.
  return wrapWords(showLine(cutText(text, 1000)), Math.max(30, width));
}
