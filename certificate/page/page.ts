import { Code } from '../../page/view/code.ts';
import { type Html, html } from '../../page/view/element.ts';
import { Facts } from '../../page/view/facts.ts';
import { Section, type SectionProps } from '../../page/view/section.ts';
import { renderDocument } from '../../page/view/static/document.ts';
import { Tally } from '../../page/view/tally.ts';
import { listShortfalls } from '../predicate/level.ts';
import { listMissing } from '../shards/citation.ts';
import type { Predicate } from '../predicate/predicate.ts';
import {
  describeLevel,
  describeSelftest,
  describeTime,
  levelSentences,
  limits,
  listSettings,
  showInstant,
  subjectOf,
  summariseVerdicts,
  unauthenticated,
} from '../predicate/summary.ts';
import {
  renderAppendix,
  renderByOperation,
  renderFailures,
  renderNotTested,
  renderObserved,
  renderWaivers,
} from './sections.ts';
import { certificateStyle } from './style.ts';

/** A certificate as a page, for screens and A4. `keyids`: the keys that signed when it was made. */
export function renderCertificatePage(predicate: Predicate, keyids: readonly string[]): string {
  const { target, level, waivers } = predicate;
  return renderDocument({
    title: `${target.name} ${target.version}: ${keyids.length === 0 ? unauthenticated : describeLevel(predicate)}`,
    kind: keyids.length === 0 ? 'incomplete' : kindOf(level, waivers.length > 0),
    style: certificateStyle,
    content: [
      renderHeader(predicate, keyids),
      html`<main>${listSections(predicate, keyids).map(Section)}</main>`,
    ],
  });
}

/** What conforms with waivers does not look like what conforms. */
function kindOf(level: Predicate['level'], hasWaivers: boolean): string {
  return level === 'conforms' && hasWaivers ? 'waived' : level;
}

const sources: Readonly<Record<Predicate['kind'], string>> = {
  server: 'the responses of one run',
  client: 'what it sent in one run',
  shards: 'the certificates of the runs that share its fuzzing',
};

function renderHeader(predicate: Predicate, keyids: readonly string[]): Html {
  const { kind, target, contract, level, run, verdicts, waivers } = predicate;
  const { passed, failed, waived, observed, notTested } = summariseVerdicts(verdicts);
  return html`<header>
    <p class="kind">${`Certificate of a ${subjectOf(kind)}, by ${sources[kind]}`}</p>
    <h1>${target.name}${' '}<span>${target.version}</span></h1>
    ${renderLevel({ level, waivers }, keyids)}
    ${Tally({
      counts: [
        ['passed', passed.length],
        ['failed', failed.length],
        ['waived', waived.length],
        ['not-tested', notTested.length],
        ['open', observed.length],
      ],
    })}
    ${Facts({
      facts: [
        ['Contract', `${contract.title} ${contract.version}`],
        ...(target.baseUrl === null ? [] : [['Reached at', target.baseUrl] as const]),
        ['Run', showInstant(run.startedAt)],
        ['Took', describeTime(predicate)],
      ],
    })}
    ${contract.leftOut === undefined ? null : html`<p class="note">${`Parts of the document were skipped because of ${contract.leftOut === 1 ? '1 error' : `${contract.leftOut} errors`}.`}</p>`}
    ${run.endedEarly === null ? null : html`<p class="note">${`The run ended early: ${run.endedEarly}.`}</p>`}
  </header>`;
}

/** The level as the headline where somebody signed it, else as what stands there. */
function renderLevel(said: Pick<Predicate, 'level' | 'waivers'>, keyids: readonly string[]): Html {
  const [level, sentence] = [describeLevel(said), levelSentences[said.level]];
  if (keyids.length === 0)
    return html`<p class="level"><strong>${unauthenticated}</strong>${` It is unsigned, so anybody could have made it. Level: ${level}. ${sentence}`}</p>`;
  return html`<p class="level"><strong>${level}</strong>${` ${sentence}`}</p>
    <p class="note">This page proves nothing by itself. Verify certificate.json with the public key of its signer.</p>`;
}

function listSections(predicate: Predicate, keyids: readonly string[]): readonly SectionProps[] {
  const { verdicts, waivers, level } = predicate;
  const { failed, advised, waived, observed, notTested, notApplicable } =
    summariseVerdicts(verdicts);
  const shortfalls =
    level === 'conforms'
      ? []
      : listShortfalls(verdicts, waivers, listMissing(predicate), predicate.run.inconclusive);
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
      title: 'What passed',
      lead: 'Requirements of the contract, by operation. Passed: nothing in the log contradicts the requirement.',
      content: renderByOperation(verdicts),
    },
    {
      title: 'Failed',
      lead: 'What the contract requires, and what was received.',
      content: renderFailures(failed, 'failed'),
    },
    {
      title: 'Waived',
      lead: 'Failures that are accepted until an expiry date.',
      content:
        waivers.length + waived.length === 0
          ? null
          : [renderWaivers(waivers), renderFailures(waived, 'waived')],
    },
    {
      title: 'Advised',
      lead: 'Recommendations that were not followed. They do not fail the run.',
      content: renderFailures(advised, 'advised'),
    },
    {
      title: 'Not tested',
      lead: 'Requirements that this run did not test, and why.',
      content: renderNotTested(notTested),
    },
    {
      title: 'Not applicable',
      lead: 'Rules about things that this client did in no scenario. It was not judged by these rules.',
      content: renderNotTested(notApplicable),
    },
    {
      title: 'What was observed',
      lead: 'What this target does where the contract leaves the behaviour open. No choice fails it.',
      content: renderObserved(observed),
    },
    {
      title: 'What a certificate cannot prove',
      lead: '',
      content: html`<p>${limits[subjectOf(predicate.kind)]}</p>`,
    },
    {
      title: 'What can be checked',
      lead: 'This page is only a view. The proof is certificate.json.',
      content: [renderDigests(predicate, keyids), renderCommands(keyids)],
    },
    {
      title: 'How the run was made',
      lead: 'All settings of the run, besides the contract and the responses.',
      content: Facts({ kind: 'settings', facts: listSettings(predicate.configuration) }),
    },
    {
      title: 'Every requirement',
      lead: 'With its verdict and how many entries of the log show it.',
      content: renderAppendix(verdicts),
    },
  ];
}

function renderDigests(predicate: Predicate, keyids: readonly string[]): Html {
  const { contract, suite, log } = predicate;
  const signers =
    keyids.length === 0
      ? 'none, when it was made'
      : keyids.map((keyid) => html`<code>${keyid}</code>${' '}`);
  return Facts({
    kind: 'digests',
    facts: [
      ['Signed with the key', signers],
      ['Document of the contract, SHA-256', html`<code>${contract.digest}</code>`],
      [
        `Log of ${log.length} ${log.length === 1 ? 'entry' : 'entries'}, head of its chain`,
        html`<code>${log.head}</code>`,
      ],
      [
        'Suite',
        [
          `${suite.name} ${suite.version}, rules ${suite.rules}, dependencies `,
          html`<code>${suite.dependencies}</code>`,
        ],
      ],
      ['The suite itself', describeSelftest(predicate, false)],
    ],
  });
}

function renderCommands(keyids: readonly string[]): Html {
  if (keyids.length === 0)
    return html`<p>Nothing shows who made it. Run the suite with <code>--sign</code> to get a certificate that can be verified.</p>`;
  return [
    html`<p>To check the signature and compute every verdict again from the log, offline:</p>`,
    Code({
      text: 'npx petstore-contract verify certificate.json --public-key the-signers-key.pub.pem',
      what: 'the command',
    }),
  ];
}
