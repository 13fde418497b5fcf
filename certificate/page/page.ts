import { type Html, anchorOf, html, nothing, renderProse } from '../../report/index.ts';
import { listShortfalls } from '../predicate/level.ts';
import {
  renderAppendix,
  renderByOperation,
  renderObserved,
  renderUnreached,
  renderFailures,
  renderWaivers,
} from './sections.ts';
import { style } from './style.ts';
import type { Predicate } from '../predicate/predicate.ts';
import {
  describeLevel,
  describeSelftest,
  levelSentences,
  limits,
  listSettings,
  showInstant,
  summariseVerdicts,
} from '../predicate/summary.ts';

/**
 * A certificate as one page for people: no script, nothing from outside, light and dark, for
 * screens from 360 pixels on and for A4. It proves nothing by itself, and says so.
 *
 * @param keyids the keys that signed when it was made
 */
export function renderCertificatePage(predicate: Predicate, keyids: readonly string[]): string {
  const { target, level } = predicate;
  const sections = listSections(predicate, keyids).filter(({ content }) => content.length > 0);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${target.name} ${target.version}: ${describeLevel(predicate)}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body class="${level}">
        ${renderHeader(predicate, keyids)}
        <main>${sections.map(renderSection)}</main>
      </body>
    </html> `.markup;
}

function renderHeader(
  { kind, target, contract, level, run, log, verdicts, waivers }: Predicate,
  keyids: readonly string[],
): Html {
  const { passed, failed, waived, observed, unreached } = summariseVerdicts(verdicts);
  const where =
    target.baseUrl === null
      ? nothing
      : html`<div>
          <dt>Reached at</dt>
          <dd>${target.baseUrl}</dd>
        </div>`;
  return html`<header>
    <p class="kind">
      Certificate of a ${kind}, by
      ${kind === 'server' ? 'the responses of one run' : 'what it sent in one run'}
    </p>
    <h1>${target.name} <span>${target.version}</span></h1>
    <p class="level">
      <strong>${describeLevel({ level, waivers })}</strong> ${levelSentences[level]}
    </p>
    <ul class="tally">
      ${tile(passed.length, 'passed', 'good')}${tile(failed.length, 'failed', 'bad')}${tile(waived.length, 'waived', 'doubt')}${tile(unreached.length, 'not tested', 'doubt')}${tile(observed.length, 'open', 'plain')}
    </ul>
    <dl class="facts">
      <div>
        <dt>Contract</dt>
        <dd>${contract.title} ${contract.version}</dd>
      </div>
      ${where}
      <div>
        <dt>Run</dt>
        <dd>${showInstant(run.startedAt)}</dd>
      </div>
      <div>
        <dt>Took</dt>
        <dd>${(run.milliseconds / 1000).toFixed(2)} s, ${log.length} log entries</dd>
      </div>
    </dl>
    ${keyids.length > 0 ? nothing : html`<p class="note"><strong>Unsigned.</strong> Anybody can have made it.</p>`}
    ${run.endedEarly === null ? nothing : html`<p class="note">The run ended early: ${run.endedEarly}.</p>`}
  </header>`;
}

function tile(count: number, label: string, tone: string): Html {
  return html`<li class="${count === 0 ? 'none' : tone}"><strong>${count}</strong> ${label}</li>`;
}

interface Section {
  readonly title: string;
  readonly lead: string;
  /** Empty where there is nothing to say: the section is left out. */
  readonly content: readonly Html[];
}

function listSections(predicate: Predicate, keyids: readonly string[]): readonly Section[] {
  const { verdicts, waivers, level } = predicate;
  const { failed, advised, waived, observed, unreached } = summariseVerdicts(verdicts);
  const shortfalls = level === 'conforms' ? [] : listShortfalls(verdicts, waivers);
  return [
    {
      title: 'Why it does not say "conforms"',
      lead: 'Everything that stands in the way.',
      content:
        shortfalls.length === 0
          ? []
          : [
              html`<ul>
                ${shortfalls.map((each) => html`<li>${each}</li>`)}
              </ul>`,
            ],
    },
    {
      title: 'What was passed',
      lead: 'Requirements of the contract, by operation. Passed: everything in the log that speaks of the requirement kept it.',
      content: [renderByOperation(verdicts)],
    },
    {
      title: 'Violated',
      lead: 'What was documented, and what came back.',
      content: renderFailures(failed),
    },
    {
      title: 'Waived',
      lead: 'Failures that somebody has agreed to live with for a while.',
      content: [...renderWaivers(waivers), ...renderFailures(waived)],
    },
    {
      title: 'Advised',
      lead: 'Recommendations that were not kept. They fail no one.',
      content: renderFailures(advised),
    },
    {
      title: 'What was not reached',
      lead: 'Requirements of which this run says nothing, and why.',
      content: renderUnreached(unreached),
    },
    {
      title: 'What was observed',
      lead: 'Where the contract is silent: what this target does. No choice fails it.',
      content: renderObserved(observed),
    },
    { title: 'What it cannot show', lead: '', content: [html`<p>${limits[predicate.kind]}</p>`] },
    {
      title: 'What can be checked',
      lead: 'This page is for reading. The proof is certificate.json, which came with it.',
      content: [renderDigests(predicate, keyids), renderCommands(keyids)],
    },
    {
      title: 'How the run was made',
      lead: 'Everything that decided it besides the contract and the responses.',
      content: [renderSettings(predicate)],
    },
    {
      title: 'Every requirement',
      lead: 'With its verdict and how many entries of the log show it.',
      content: [renderAppendix(verdicts)],
    },
  ];
}

function renderSection({ title, lead, content }: Section): Html {
  const id = anchorOf(title.toLowerCase().replaceAll(/[^a-z]+/g, '-'));
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${lead === '' ? nothing : html`<p class="lead">${lead}</p>`} ${content}
  </section> `;
}

function renderDigests(predicate: Predicate, keyids: readonly string[]): Html {
  const { contract, suite, log } = predicate;
  const signers =
    keyids.length === 0
      ? html`none, when it was made`
      : html`${keyids.map((keyid) => html`<code>${keyid}</code> `)}`;
  return html`<dl class="digests">
    <div>
      <dt>Signed with the key</dt>
      <dd>${signers}</dd>
    </div>
    <div>
      <dt>Document of the contract, SHA-256</dt>
      <dd><code>${contract.digest}</code></dd>
    </div>
    <div>
      <dt>Log of ${log.length} entries, head of its chain</dt>
      <dd><code>${log.head}</code></dd>
    </div>
    <div>
      <dt>Suite</dt>
      <dd>${suite.name} ${suite.version}, rules ${suite.rules}, dependencies <code>${suite.dependencies}</code></dd>
    </div>
    <div>
      <dt>The suite itself</dt>
      <dd>${describeSelftest(predicate)}</dd>
    </div>
  </dl>`;
}

function renderSettings({ configuration }: Predicate): Html {
  return html`<dl class="settings">
    ${listSettings(configuration).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderCommands(keyids: readonly string[]): Html {
  return html`<p>
      ${renderProse('To compute every verdict again from the log, without a network:')}
    </p>
    <pre><code>petstore verify certificate.json${keyids.length === 0 ? '' : ' --public-key the-signers-key.pub.pem'}</code></pre>`;
}
