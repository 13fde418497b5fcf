import type { Contract } from '../contract/contract.ts';
import { Code } from '../page/view/code.ts';
import { type Html, html } from '../page/view/element.ts';
import { Facts } from '../page/view/facts.ts';
import { Section, type SectionProps } from '../page/view/section.ts';
import { renderDocument } from '../page/view/static/document.ts';
import { Tally } from '../page/view/tally.ts';
import {
  describeRequests,
  listCounts,
  listHtmlSections,
  reportStyle,
  showInstant,
} from '../report/index.ts';
import type { Certificate } from './certificate.ts';
import {
  describeLevel,
  describeLimits,
  levelSentences,
  listSettings,
  listShortfalls,
  settleLevel,
  subjectOf,
  unauthenticated,
} from './level.ts';

/** The parts of a certificate that the page shows. */
export type ShownCertificate = Omit<Certificate, 'text'>;

/**
 * A certificate as a page, for screens and A4: its level and target, then the page of its report.
 */
export function renderCertificatePage(certificate: ShownCertificate, contract: Contract): string {
  const { report, facts, keyids } = certificate;
  const { name, version } = facts.target;
  const sections = [...listSections(certificate), ...listHtmlSections(report, contract)];
  return renderDocument({
    title: `${name} ${version}: ${keyids.length === 0 ? unauthenticated : describeLevel(report)}`,
    kind: keyids.length === 0 ? 'incomplete' : kindOf(report),
    style: reportStyle + certificateStyle,
    content: [renderHeader(certificate), html`<main>${sections.map(Section)}</main>`],
  });
}

/** Conformance with waivers has its own style. */
function kindOf(report: Certificate['report']): string {
  const level = settleLevel(report);
  return level === 'conforms' && report.waivers.length > 0 ? 'waived' : level;
}

function renderHeader(certificate: ShownCertificate): Html {
  const { report, facts } = certificate;
  const { contract, run, client, target } = report;
  return html`<header>
    <p class="kind">${`Certificate of a ${subjectOf(report)}, by ${client === undefined ? 'the responses of one run' : 'what it sent in one run'}`}</p>
    <h1>${facts.target.name}${' '}<span>${facts.target.version}</span></h1>
    ${renderLevel(certificate)}
    ${Tally({ counts: listCounts(report) })}
    ${Facts({
      facts: [
        ['Contract', `${contract.title} ${contract.version}`],
        ...(client === undefined ? [['Reached at', target.baseUrl] as const] : []),
        ['Run', showInstant(run.startedAt)],
        ['Took', describeRequests(report)],
      ],
    })}
  </header>`;
}

/** The level as the headline if it is signed; if not, only as a claim of the certificate. */
function renderLevel({ report, keyids }: ShownCertificate): Html {
  const [level, sentence] = [describeLevel(report), levelSentences[settleLevel(report)]];
  if (keyids.length === 0)
    return html`<p class="level"><strong>${unauthenticated}</strong>${` It is unsigned, so anyone could have made it. Level: ${level}. ${sentence}`}</p>`;
  return html`<p class="level"><strong>${level}</strong>${` ${sentence}`}</p>
    <p class="note">This page proves nothing by itself. Verify certificate.json with the public key of its signer.</p>`;
}

function listSections(certificate: ShownCertificate): readonly SectionProps[] {
  const { report, facts } = certificate;
  const shortfalls = listShortfalls(report);
  return [
    {
      title: 'Why the level is not "conforms"',
      lead: 'Everything that prevents it.',
      content:
        shortfalls.length === 0
          ? null
          : html`<ul>${shortfalls.map((each) => html`<li>${each}</li>`)}</ul>`,
    },
    {
      title: 'What can be checked',
      lead: 'This page is only a view. The proof is certificate.json.',
      content: [renderDigests(certificate), renderCommand(certificate)],
    },
    {
      title: 'What a certificate cannot prove',
      lead: '',
      content: html`<p>${describeLimits(report)}</p>`,
    },
    {
      title: 'How the run was made',
      lead: 'All settings of the run, besides the contract and the responses.',
      content: Facts({ kind: 'settings', facts: listSettings(facts.settings) }),
    },
  ];
}

function renderDigests({ report, facts, keyids }: ShownCertificate): Html {
  const signers =
    keyids.length === 0
      ? 'none when it was made'
      : keyids.map((keyid) => html`<code>${keyid}</code>${' '}`);
  return Facts({
    kind: 'digests',
    facts: [
      ['Signed with the key', signers],
      ['Document of the contract, SHA-256', html`<code>${report.contract.digest}</code>`],
      [`Log of ${report.exchanges.length} requests, SHA-256`, html`<code>${facts.log}</code>`],
      ['Made by', `petstore-contract ${facts.version}`],
    ],
  });
}

function renderCommand({ facts, keyids }: ShownCertificate): Html {
  if (keyids.length === 0)
    return html`<p>Nothing shows who made it. Run the suite with <code>--sign</code> to get a certificate that can be verified.</p>`;
  return [
    html`<p>To check the signature and judge the log again, offline:</p>`,
    Code({
      text: `npx petstore-contract@${facts.version} verify certificate.json --public-key the-signers-key.pub.pem`,
      what: 'the command',
    }),
  ];
}

/** The style of the certificate page, in addition to that of the report; also for A4. */
const certificateStyle = `
.conforms { --tone: var(--good); --wash: var(--good-wash); }
.failed { --tone: var(--bad); --wash: var(--bad-wash); }
/* It conforms except for waived failures. */
body.waived, .incomplete { --tone: var(--doubt); --wash: var(--doubt-wash); }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem); }
h1 { margin-bottom: 1.25rem; font-size: clamp(1.7rem, 1.1rem + 3vw, 2.9rem); }
h1 span { font-weight: 400; color: var(--soft); }
.tally { margin-bottom: 1.5rem; }
.facts { border-top: 1px solid var(--line); padding-top: 1.1rem; }
dt { color: var(--soft); font-size: 0.85rem; }
.level { background: var(--wash); border-left: 5px solid var(--tone); border-radius: 0 6px 6px 0; padding: 0.9rem 1.1rem; margin: 0 0 1.25rem; }
.level strong { display: block; color: var(--tone); font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
.note { color: var(--doubt); }
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.5rem 1.5rem; }
.digests { display: grid; gap: 0.7rem; margin-bottom: 1.25rem; }
@page { size: A4; margin: 16mm 15mm; }
@media print {
  body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header, main { max-width: none; padding: 0; }
  .digests div, .level { break-inside: avoid; }
  .settings { grid-template-columns: repeat(4, 1fr); }
}
`;
