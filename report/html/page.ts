import type { Contract } from '../../contract/contract.ts';
import type { Report } from '../../conformance/index.ts';
import { type Html, html } from '../../page/view/element.ts';
import { Section, type SectionProps } from '../../page/view/section.ts';
import { renderDocument } from '../../page/view/static/document.ts';
import { Tally } from '../../page/view/tally.ts';
import {
  describeEnd,
  describeRequests,
  describeVerdict,
  listCounts,
  showInstant,
} from '../model/summary.ts';
import { readSections } from '../sections/sections.ts';
import { createBlockRenderer } from './block.ts';
import { reportStyle } from './style.ts';

/**
 * A report as one HTML page, for screens of at least 360 pixels and for paper. Verdict, causes and
 * matrix come first; the rest is collapsed. Contains no key.
 *
 * @param reportFile path of the `report.json` to which replay lines refer, if there is one
 * @param name what the verdict calls the target. Default: its base URL, or the client
 */
export function renderHtml(
  report: Report,
  contract: Contract,
  reportFile?: string,
  name?: string,
): string {
  return renderDocument({
    title: describeVerdict(report, name),
    kind: 'report',
    style: reportStyle,
    content: html`<a class="skip" href="#content">To the content</a>
      ${renderHeader(report, name)}
      <main id="content">${listHtmlSections(report, contract, reportFile).map(Section)}</main>`,
  });
}

/** The head of the page: verdict, counts, and one line about the run. */
function renderHeader(report: Report, name: string | undefined): Html {
  const { run, client } = report;
  const end = describeEnd(report);
  return html`<header>
    <p class="kind">${client === undefined ? 'Conformance report' : 'Report on a client'}${`: ${describeRequests(report)}, ${showInstant(run.startedAt)}`}</p>
    <h1>${describeVerdict(report, name)}</h1>
    ${Tally({ counts: listCounts(report) })}
    ${end === undefined ? null : html`<p class="early">${`${end}.`}</p>`}
  </header>`;
}

/**
 * The sections that a certificate has too.
 *
 * @internal
 */
export function listHtmlSections(
  report: Report,
  contract: Contract,
  reportFile?: string,
): readonly SectionProps[] {
  const renderBlock = createBlockRenderer();
  return readSections(report, contract, reportFile).map(({ blocks, ...section }) => ({
    ...section,
    content: blocks.map(renderBlock),
  }));
}
