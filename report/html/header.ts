import type { Report } from '../../conformance/index.ts';
import { describeSeconds, summarise } from '../model/summary.ts';
import { html, nothing, type Html } from './element.ts';

/** The head of the page: the verdict, its numbers, and the facts of the run. */
export function renderHeader(report: Report): Html {
  const { passed, failed, advised, waived, notTested, open, sentence } = summarise(report);
  const early = report.run.endedEarly;
  return html`<header class="${report.outcome}">
    <p class="kind">${report.client === undefined ? 'Conformance report' : 'Report on a client'}</p>
    <h1>${sentence}</h1>
    <ul class="tally">
      ${tile('passed', passed, 'passed')}${tile('failed', failed, 'failed')}${waived === 0 ? nothing : tile('waived', waived, 'waived')}${advised === 0 ? nothing : tile('advised', advised, 'advised')}${tile('not-tested', notTested, 'not tested')}${tile('open', open, 'open')}
    </ul>
    ${early === undefined ? nothing : html`<p class="early">The run ended early: ${early}.</p>`}
    ${renderFacts(report)}
  </header>`;
}

function tile(kind: string, count: number, label: string): Html {
  return html`<li class="${count === 0 ? 'none' : kind}"><strong>${count}</strong> ${label}</li>`;
}

function renderFacts({ target, contract, run, client }: Report): Html {
  return html`<dl class="facts">
    ${client === undefined ? nothing : fact('Client', client)}
    ${fact(client === undefined ? 'Target' : 'Mock', target.baseUrl)}
    ${fact('Contract', `${contract.title} ${contract.version}`)}
    ${fact('Document', contract.source)} ${fact('Plan of the key', target.plan ?? 'not told')}
    ${fact('Requests', client === undefined ? `${run.requests} of at most ${run.budget}` : String(run.requests))}
    ${client === undefined ? fact('Seed', String(run.seed)) : nothing}
    ${fact('Started', run.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}
    ${fact('Took', describeSeconds(run.milliseconds))}
    <div class="wide">
      <dt>SHA-256 of the document</dt>
      <dd><code>${contract.digest}</code></dd>
    </div>
  </dl>`;
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
