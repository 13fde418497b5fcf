import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { tellAdvice, tellStories, tellWaived } from '../model/story.ts';
import { summarise } from '../model/summary.ts';
import { anchorOf, html, type Html } from './element.ts';
import { renderHtmlMatrix } from './matrix.ts';
import { renderPlot } from './plot.ts';
import { renderQuestions } from './questions.ts';
import { renderLeftBehind, renderNotTested } from './remainder.ts';
import { renderStory } from './story.ts';
import { style } from './style.ts';
import { renderHeader } from './header.ts';
import { renderWaivers } from './waivers.ts';

/**
 * A report as one page of HTML: no script, nothing from the network, light and dark, for screens
 * from 360 pixels on and for paper. Holds no key.
 */
export function renderHtml(report: Report, contract: Contract): string {
  const sections = listSections(report, contract).filter(({ content }) => content.length > 0);
  const page = html`<!doctype html>
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
        <title>${summarise(report).sentence}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        ${renderHeader(report)} ${renderContents(sections)}
        <main id="content">${sections.map(renderSection)}</main>
      </body>
    </html> `;
  return page.markup;
}

interface Section {
  readonly title: string;
  /** What the section tells, in a sentence. */
  readonly lead: string;
  /** Empty where the section has nothing to say: it is left out. */
  readonly content: readonly Html[];
}

function listSections(report: Report, contract: Contract): readonly Section[] {
  const stories = tellStories(report, contract).map((story) => renderStory(story, 'failed'));
  const waived = tellWaived(report, contract).map((story) => renderStory(story, 'waived'));
  const advice = tellAdvice(report, contract).map((story) => renderStory(story, 'advised'));
  return [
    {
      title: 'Obligations',
      lead: `Each cell opens: every ${report.client === undefined ? 'requirement' : 'rule'} of an operation, by family, with its verdict.`,
      content: renderHtmlMatrix(report),
    },
    {
      title: 'Failed requirements',
      lead:
        report.client === undefined
          ? 'What was documented, what was sent, and what came back.'
          : 'What a client keeps to, and what this one sent.',
      content: stories,
    },
    { title: 'Advised', lead: 'What the contract recommends. It fails no one.', content: advice },
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
      lead:
        report.client === undefined
          ? 'What the run did not reach, and why.'
          : 'What the client did not show, and why.',
      content: renderNotTested(report),
    },
    {
      title: 'Rate limit',
      lead: 'What the target said that was left to the key, over the time of the run.',
      content: report.client === undefined ? renderPlot(report, contract) : [],
    },
    {
      title: 'Left behind',
      lead: 'Items that the run added and that are still there as far as it knows.',
      content: renderLeftBehind(report),
    },
  ];
}

function renderContents(sections: readonly Section[]): Html {
  return html`<nav aria-label="Contents">
    <ul>
      ${sections.map(({ title }) => html`<li><a href="#${idOf(title)}">${title}</a></li>`)}
    </ul>
  </nav>`;
}

function renderSection({ title, lead, content }: Section): Html {
  return html`<section aria-labelledby="${idOf(title)}">
    <h2 id="${idOf(title)}">${title}</h2>
    <p class="lead">${lead}</p>
    ${content}
  </section> `;
}

function idOf(title: string): string {
  return anchorOf(title.toLowerCase().replaceAll(' ', '-'));
}
