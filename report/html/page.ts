import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { type Html, html } from '../../page/view/element.ts';
import { Facts } from '../../page/view/facts.ts';
import { Section, type SectionProps } from '../../page/view/section.ts';
import { renderDocument } from '../../page/view/static/document.ts';
import { Tally } from '../../page/view/tally.ts';
import { viewCauses } from '../cause/cause-view.ts';
import { listFailures } from '../model/failure.ts';
import {
  describeEnd,
  describeRequests,
  describeSeconds,
  listLeftOut,
  listNotTested,
  listTraffic,
  summarise,
} from '../model/summary.ts';
import { countOf } from '../../page/view/count.ts';
import { renderCauses } from './cause.ts';
import { renderWaived } from './failure.ts';
import { renderHtmlMatrix } from './matrix.ts';
import { renderPlot } from './plot.ts';
import {
  renderLeftBehind,
  renderMerge,
  renderNotTested,
  renderQuestions,
  renderTraffic,
  renderWaivers,
} from './sections.ts';
import { reportStyle } from './style.ts';

/**
 * A report as one page of HTML, for screens from 360 pixels on and for paper. What a glance needs
 * comes first: verdict, causes, matrix; the rest is folded. Holds no key.
 *
 * @param reportFile path of the `report.json` that holds the requests of replays, if one does
 * @param name what the verdict calls the target; by default its base URL, or the client
 */
export function renderHtml(
  report: Report,
  contract: Contract,
  reportFile?: string,
  name?: string,
): string {
  return renderDocument({
    title: summarise(report, name).sentence,
    kind: 'report',
    style: reportStyle,
    content: html`<a class="skip" href="#content">To the content</a>
      ${renderHeader(report, name)}
      <main id="content">${listHtmlSections(report, contract, reportFile).map(Section)}</main>`,
  });
}

/** The head of the page: the verdict, its numbers, and the run in a line. */
function renderHeader(report: Report, name: string | undefined): Html {
  const { passed, failed, advised, waived, notTested, open, sentence } = summarise(report, name);
  const { run, client } = report;
  const end = describeEnd(report);
  return html`<header>
    <p class="kind">${client === undefined ? 'Conformance report' : 'Report on a client'}${`: ${describeRequests(report)}, ${showInstant(run.startedAt)}`}</p>
    <h1>${sentence}</h1>
    ${Tally({
      counts: [
        ['passed', passed],
        ['failed', failed],
        ...(waived === 0 ? [] : [['waived', waived] as const]),
        ...(advised === 0 ? [] : [['advised', advised] as const]),
        ['not-tested', notTested],
        ['open', open],
      ],
    })}
    ${renderMainReason(report)}
    ${end === undefined ? null : html`<p class="early">${`${end}.`}</p>`}
  </header>`;
}

/** Why most of what was not tested was not: the rest is told further down. */
function renderMainReason(report: Report): Html {
  const [most] = listNotTested(report);
  if (most === undefined) return null;
  const { notTested } = summarise(report);
  const extent =
    most.ids.length === notTested ? 'Not tested' : `Not tested, ${most.ids.length} of ${notTested}`;
  return html`<p class="kind">${`${extent}: ${most.reason}.`}</p>`;
}

function showInstant(instant: string): string {
  return instant.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

/**
 * The sections of the page, which a certificate has too.
 *
 * @internal
 */
export function listHtmlSections(
  report: Report,
  contract: Contract,
  reportFile?: string,
): readonly SectionProps[] {
  const causes = viewCauses(report, contract, reportFile);
  const told = new Set<string>();
  const waived = listFailures('waived', report, contract, reportFile).map(renderWaived);
  const isServer = report.client === undefined;
  const { notTested, open } = summarise(report);
  const reasons = listNotTested(report).length;
  return [
    {
      title: isServer ? countOf(causes.failed.length, 'cause') : 'Failed rules',
      lead: '',
      content: renderCauses(causes.failed, 'failed', told),
    },
    {
      title: 'Requirements',
      lead: '',
      content: renderHtmlMatrix(report),
    },
    {
      title: 'Shards',
      lead: 'The runs that this report was merged from, and how many of them tested each requirement.',
      content: renderMerge(report),
    },
    {
      title: 'Waivers',
      lead: 'Failed requirements that are accepted until an expiry date.',
      folded: countOf(report.waivers.length, 'waiver'),
      content: report.waivers.length === 0 ? null : [renderWaivers(report), waived],
    },
    {
      title: 'Advised',
      lead: 'Recommendations that were not followed. They do not fail the run.',
      folded: countOf(causes.advised.length, 'recommendation'),
      content: renderCauses(causes.advised, 'advised', told),
    },
    {
      title: 'Rate limit',
      lead: 'The remaining requests that the target reported during the run.',
      folded: 'during the run',
      // Of several keys at the same time nothing can be drawn.
      content: isServer && report.merge === undefined ? renderPlot(report, contract) : null,
    },
    {
      title: 'Open questions',
      lead: 'What this target does where the contract leaves the behaviour open. No choice fails the run.',
      folded: `${open} seen`,
      content: renderQuestions(report, contract),
    },
    {
      title: 'Not tested',
      lead: isServer
        ? 'What the run did not test, and why.'
        : 'What the client did not show, and why.',
      folded: `${countOf(notTested, 'requirement')}, for ${countOf(reasons, 'reason')}`,
      content: renderNotTested(report),
    },
    {
      title: 'Traffic',
      lead: 'What clients did, and what was not judged. It does not fail the run.',
      folded: countOf(listTraffic(report).length, 'note'),
      content: renderTraffic(report),
    },
    {
      title: 'Left behind',
      lead: 'Items that the run added and that probably still exist.',
      folded: countOf(report.leftBehind.length, 'item'),
      content: renderLeftBehind(report),
    },
    {
      title: 'The document',
      lead: 'Parts that could not be read were skipped and not judged.',
      folded: countOf(report.contract.leftOut?.count ?? 0, 'error'),
      content: renderLeftOut(report),
    },
    {
      title: 'The run',
      lead: '',
      folded: `${report.contract.title} ${report.contract.version}`,
      content: renderRun(report),
    },
  ];
}

function renderLeftOut(report: Report): Html | null {
  const [head, ...parts] = listLeftOut(report);
  if (head === undefined) return null;
  return html`<p>${`${head}.`}</p><ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>`;
}

function renderRun({ target, contract, run, client, traffic }: Report): Html {
  return Facts({
    facts: [
      ...(client === undefined ? [] : [['Client', client] as const]),
      [client === undefined ? 'Target' : 'Mock', target.baseUrl],
      ['Contract', `${contract.title} ${contract.version}`],
      ['Document', contract.source],
      ['Plan of the key', target.plan ?? 'not given'],
      [
        'Requests',
        client === undefined && traffic === undefined
          ? `${run.requests} of at most ${run.budget}`
          : run.requests,
      ],
      ...(client === undefined && traffic === undefined ? [['Seed', run.seed] as const] : []),
      ['Started', showInstant(run.startedAt)],
      ['Took', describeSeconds(run.milliseconds)],
      ...((run.times?.waited ?? 0) === 0
        ? []
        : [['Time spent waiting', describeSeconds(run.times?.waited ?? 0)] as const]),
      ...((run.times?.clockMoved ?? 0) === 0
        ? []
        : [['Mock clock moved ahead by', describeSeconds(run.times?.clockMoved ?? 0)] as const]),
      ['SHA-256 of the document', html`<code>${contract.digest}</code>`],
    ],
  });
}
