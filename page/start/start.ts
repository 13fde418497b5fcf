import type { Mock } from '../../mock/control/client.ts';
import { CopyButton } from '../view/code.ts';
import { type Html, html } from '../view/element.ts';
import { Facts } from '../view/facts.ts';
import { Table } from '../view/table.ts';
import { useSession } from '../session/session.ts';
import { FirstRequest } from './first-request.ts';

/** What is mocked and where, the keys, and a first request to send. */
export function Start(): Html {
  const { mock, linkTo } = useSession();
  const { title, version, summary, source } = mock.document;
  return html`<h1>Start</h1>
    <p class="base">
      <span class="soft">Base URL</span>
      <span class="copied"><code>${mock.url}</code> ${CopyButton({ text: mock.url, what: 'the base URL' })}</span>
      <span><b>${title}</b> ${version}${summary === undefined ? '' : `: ${summary}`} <span class="soft">From <code>${source}</code></span></span>
    </p>
    <div class="columns">
      <section aria-label="First request" class="card">
        <h2>Send a first request</h2>
        <${FirstRequest} />
      </section>
      <section aria-label="The mock">
        <h2>Next steps</h2>
        <ul class="next">
          <li><a href=${linkTo('requests')}>Requests</a>: every request and response, live.</li>
          <li><a href=${linkTo('sandboxes')}>Sandboxes</a>: items, faults, stubs, limits and the clock.</li>
          <li><a href=${linkTo('reference')}>Reference</a>: every operation, to try.</li>
          <li><a href=${linkTo('tests')}>Tests</a>: test this mock or another server against the document.</li>
        </ul>
        <h2>Keys</h2>
        <${Keys} mock=${mock} />
        <${Links} links=${mock.links} />
      </section>
    </div>`;
}

/** The keys of the mock with their plans and limits, and the form of a key with its own sandbox. */
function Keys({ mock: { keys, ownKey } }: { mock: Mock }): Html {
  if (keys.length === 0) return html`<p>The document requires no key.</p>`;
  const hasPlans = keys.some(({ plan }) => plan !== '');
  const windows = [...new Set(keys.flatMap(({ limits }) => limits.map(({ window }) => window)))];
  const rows = keys.map(({ key, plan, limits }) => ({
    head: html`<span class="copied"><code>${key}</code> ${CopyButton({ text: key, what: `the key ${key}` })}</span>`,
    cells: [
      ...(hasPlans ? [plan] : []),
      ...windows.map((name) =>
        limits.find((one) => one.window === name)?.limit.toLocaleString('en'),
      ),
    ],
  }));
  const columns = ['Key', ...(hasPlans ? ['Plan'] : []), ...windows.map((name) => `per ${name}`)];
  return html`${Table({ kind: 'limits', label: 'Keys', columns, rows })}
    ${
      ownKey !== undefined &&
      html`<p class="soft">
        These keys share the sandbox <code>main</code>. A key such as${' '}
        <span class="copied"><code>${ownKey}</code> ${CopyButton({ text: ownKey, what: `the key ${ownKey}` })}</span>
        ${' '}has its own sandbox, with separate items, clock, limits and faults.
      </p>`
    }`;
}

/** URLs for other tools. */
function Links({ links: { yaml, json, health, control } }: { links: Mock['links'] }): Html {
  const urls = [
    ['Document, YAML', yaml],
    ['Document, JSON', json],
    ['Health', health],
    ['Control interface', control],
  ] as const;
  const facts = urls.map(([name, url]) => {
    const button =
      name.startsWith('Document') && CopyButton({ text: url, what: `the URL: ${name}` });
    return [
      name,
      html`<span class="copied"><a href=${url} target="_blank" rel="noreferrer"><code>${url}</code></a> ${button}</span>`,
    ];
  });
  return html`<h2>URLs for tools</h2>
    <${Facts} kind="links" facts=${facts} />
    <p class="soft">Import the document into Scalar, Postman or another tool by its URL. Requests from that tool go to this mock. Everything on this page can also be scripted with the control interface.</p>`;
}
