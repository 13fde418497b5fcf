import type { Contract } from '../../contract/contract.ts';
import type { Report } from '../../conformance/index.ts';
import { type Html, html } from '../../page/view/element.ts';
import { Facts } from '../../page/view/facts.ts';
import { Section, type SectionProps } from '../../page/view/section.ts';
import { renderDocument } from '../../page/view/static/document.ts';
import { Tally } from '../../page/view/tally.ts';
import { listFailures } from '../model/failure.ts';
import {
  describeEnd,
  describeRequests,
  describeSeconds,
  listNotTested,
  summarise,
} from '../model/summary.ts';
import { readSections, type ReportSection } from '../sections/sections.ts';
import { renderBlock } from './block.ts';
import { renderCauses } from './cause.ts';
import { renderWaived } from './failure.ts';
import { renderHtmlMatrix } from './matrix.ts';
import { renderPlot } from './plot.ts';
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
  const sections = readSections(report, contract, reportFile);
  const { waivers } = sections;
  const told = new Set<string>();
  const waived = listFailures('waived', report, contract, reportFile).map(renderWaived);
  const isOfRun = report.client === undefined && report.merge === undefined;
  return [
    place(sections.failures, renderCauses(sections.failures, 'failed', told)),
    place(sections.requirements, renderHtmlMatrix(report)),
    place(sections.shards),
    place(waivers, [waivers.blocks.map(renderBlock), waived]),
    place(sections.advised, renderCauses(sections.advised, 'advised', told)),
    {
      title: 'Rate limit',
      lead: 'The remaining requests that the target reported during the run.',
      folded: 'during the run',
      // Of several keys at the same time nothing can be drawn.
      content: isOfRun ? renderPlot(report, contract) : null,
    },
    place(sections.questions),
    place(sections.notTested),
    place(sections.traffic),
    place(sections.leftBehind),
    place(sections.document),
    {
      title: 'The run',
      lead: '',
      folded: `${report.contract.title} ${report.contract.version}`,
      content: renderRun(report),
    },
  ];
}

function place(
  { blocks, ...section }: ReportSection,
  content: Html = blocks.map(renderBlock),
): SectionProps {
  return { ...section, content: blocks.length === 0 ? null : content };
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
