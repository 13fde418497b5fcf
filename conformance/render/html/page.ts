import type { Contract } from '../../../contract/index.ts';
import type { Report } from '../../report.ts';
import { tellAdvice, tellStories, tellWaived } from '../story.ts';
import { summarise } from '../summary.ts';
import { anchorOf, html, nothing, type Html } from './element.ts';
import { renderHtmlMatrix } from './matrix.ts';
import { renderPlot } from './plot.ts';
import { renderQuestions } from './questions.ts';
import { renderLeftBehind, renderUnproven } from './remainder.ts';
import { renderStory } from './story.ts';
import { style } from './style.ts';
import { renderHeader } from './header.ts';
import { renderWaivers } from './waivers.ts';

/** A report as one page of HTML: no script, nothing from the network, light and dark, for screens from 360 pixels on and for paper. Holds no key. */
export function renderHtml(report: Report, contract: Contract): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${summarise(report).sentence}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
${renderHeader(report)}
<main id="content">
${listSections(report, contract)}
</main>
</body>
</html>
`;
  return page.markup;
}

function listSections(report: Report, contract: Contract): readonly Html[] {
  const stories = tellStories(report, contract).map((story) => renderStory(story, 'broken'));
  const waived = tellWaived(report, contract).map((story) => renderStory(story, 'waived'));
  const advice = tellAdvice(report, contract).map((story) => renderStory(story, 'advised'));
  return [
    section('Obligations', 'Each cell opens: every promise of an operation, by family, with its verdict.', renderHtmlMatrix(report)),
    section('Broken promises', 'What was promised, what was sent, and what came back.', stories),
    section('Advised', 'What the contract recommends. It fails no one.', advice),
    section('Waivers', 'Broken promises that somebody has agreed to live with for a while.', [...renderWaivers(report), ...waived]),
    section('Open questions', 'Where the contract is silent: what this target does. No choice fails it.', renderQuestions(report, contract)),
    section('Not proved', 'What the run did not reach, and why.', renderUnproven(report)),
    section('Rate limit', 'What the target said that was left to the key, over the time of the run.', renderPlot(report, contract)),
    section('Left behind', 'Items that the run added and that are still there as far as it knows.', renderLeftBehind(report)),
  ];
}

/** A section with its heading; nothing where it has nothing to say. */
function section(title: string, lead: string, content: readonly Html[]): Html {
  if (content.length === 0) return nothing;
  const id = anchorOf(title.toLowerCase());
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="lead">${lead}</p>
${content}
</section>
`;
}
