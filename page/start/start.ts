import { CopyButton } from '../../view/copy-button.ts';
import { type Html, html } from '../../view/element.ts';
import { renderRoute } from '../session/route.ts';
import type { SectionProps } from '../session/session.ts';
import { Choices } from './choices.ts';
import { FirstRequest } from './first-request.ts';
import { Keys } from './keys.ts';
import { Links } from './links.ts';

/** What is mocked and where, the keys, and a first request to send. */
export function Start({ session }: SectionProps): Html {
  const { mock, sandbox } = session;
  const { title, version, summary, source } = mock.document;
  const linkTo = (section: string): string => renderRoute({ section, sandbox });
  return html`<h1>Start</h1>
    <p class="base">
      <span class="soft">Base address</span>
      <span class="copied"><code>${mock.url}</code> ${CopyButton({ text: mock.url, what: 'the base address' })}</span>
      <span><b>${title}</b> ${version}${summary === undefined ? '' : `: ${summary}`} <span class="soft">From <code>${source}</code></span></span>
    </p>
    <div class="columns">
      <section aria-label="First request" class="card">
        <h2>Send a first request</h2>
        <${FirstRequest} session=${session} />
        <h3>Then</h3>
        <ul class="next">
          <li><a href=${linkTo('requests')}>Requests</a> shows each one with its response, as it comes.</li>
          <li><a href=${linkTo('sandboxes')}>Sandboxes</a> changes items, quotas, the clock and faults.</li>
          <li><a href=${linkTo('reference')}>Reference</a> describes every operation.</li>
          <li><a href=${linkTo('conformance')}>Conformance</a> judges a server by the document.</li>
        </ul>
      </section>
      <section aria-label="The mock">
        <h2>Keys</h2>
        <${Keys} mock=${mock} />
        <${Links} links=${mock.links} />
        <${Choices} session=${session} />
      </section>
    </div>`;
}
