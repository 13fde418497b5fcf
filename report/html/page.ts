import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { viewCauses } from '../cause/cause-view.ts';
import { listFailures } from '../model/failure.ts';
import { countOf, describeSeconds, summarise } from '../model/summary.ts';
import { html, nothing, type Html } from './element.ts';
import { renderCauses } from './cause.ts';
import { renderWaived } from './failure.ts';
import { renderContents, renderFacts, renderPage, renderTiles, type Section } from './frame.ts';
import { renderHtmlMatrix } from './matrix.ts';
import { renderPlot } from './plot.ts';
import { reportStyle } from './report-style.ts';
import { renderLeftBehind, renderNotTested, renderQuestions, renderWaivers } from './sections.ts';

/** A report as one page of HTML, for screens from 360 pixels on and for paper. Holds no key. */
export function renderHtml(report: Report, contract: Contract): string {
  const sections = listSections(report, contract);
  return renderPage({
    title: summarise(report).sentence,
    kind: 'report',
    header: html`<a class="skip" href="#content">To the content</a>
      ${renderHeader(report)} ${renderContents(sections)}`,
    sections,
    style: reportStyle,
  });
}

/** The head of the page: the verdict, its numbers, and the facts of the run. */
function renderHeader(report: Report): Html {
  const { passed, failed, advised, waived, notTested, open, sentence } = summarise(report);
  const { target, contract, run, client } = report;
  return html`<header>
    <p class="kind">${client === undefined ? 'Conformance report' : 'Report on a client'}</p>
    <h1>${sentence}</h1>
    ${renderTiles([
      ['passed', passed],
      ['failed', failed],
      ...(waived === 0 ? [] : [['waived', waived] as const]),
      ...(advised === 0 ? [] : [['advised', advised] as const]),
      ['not-tested', notTested],
      ['open', open],
    ])}
    ${run.endedEarly === undefined ? nothing : html`<p class="early">The run ended early: ${run.endedEarly}.</p>`}
    ${renderFacts('facts', [
      ...(client === undefined ? [] : [['Client', client] as const]),
      [client === undefined ? 'Target' : 'Mock', target.baseUrl],
      ['Contract', `${contract.title} ${contract.version}`],
      ['Document', contract.source],
      ['Plan of the key', target.plan ?? 'not told'],
      [
        'Requests',
        client === undefined ? `${run.requests} of at most ${run.budget}` : run.requests,
      ],
      ...(client === undefined ? [['Seed', run.seed] as const] : []),
      ['Started', run.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
      ['Took', describeSeconds(run.milliseconds)],
      ['SHA-256 of the document', html`<code>${contract.digest}</code>`],
    ])}
  </header>`;
}

function listSections(report: Report, contract: Contract): readonly Section[] {
  const causes = viewCauses(report, contract);
  const waived = listFailures('waived', report, contract).map(renderWaived);
  const isServer = report.client === undefined;
  return [
    {
      title: 'Requirements',
      lead: `Each cell opens: every ${isServer ? 'requirement' : 'rule'} of an operation, by family, with its verdict.`,
      content: [renderHtmlMatrix(report)],
    },
    {
      title: 'Failed requirements',
      lead: isServer
        ? `${countOf(causes.failed.length, 'cause')}, each with what the document requires, what was sent and what came back; under it its effects.`
        : 'What a client has to do, and what this one sent.',
      content: renderCauses(causes.failed, 'failed'),
    },
    {
      title: 'Advised',
      lead: 'What the contract recommends. It fails no one.',
      content: renderCauses(causes.advised, 'advised'),
    },
    {
      title: 'Waivers',
      lead: 'Failed requirements that somebody has agreed to live with for a while.',
      content: [...renderWaivers(report), ...waived],
    },
    {
      title: 'Open questions',
      lead: 'Where the contract is silent: what this target does. No choice fails it.',
      content: renderQuestions(report, contract),
    },
    {
      title: 'Not tested',
      lead: isServer
        ? 'What the run did not reach, and why.'
        : 'What the client did not show, and why.',
      content: renderNotTested(report),
    },
    {
      title: 'Rate limit',
      lead: 'What the target said that was left to the key, over the time of the run.',
      content: isServer ? renderPlot(report, contract) : [],
    },
    {
      title: 'Left behind',
      lead: 'Items that the run added and that are still there as far as it knows.',
      content: renderLeftBehind(report),
    },
  ];
}
