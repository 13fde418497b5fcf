import { useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';
import { fetchText } from '../session/fetch-text.ts';
import { useLoaded } from '../session/hooks.ts';
import { renderRoute } from '../session/route.ts';
import { saveFile } from '../session/save-file.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';

/** The report page that the suite renders. It holds what a server sent: its frame has no rights of this page. */
export function ReportView({ session, run }: { session: Session; run: Run }): Html {
  const { act, headers, sandbox, theme } = session;
  const addressOf = (format: 'html' | 'json'): string =>
    `/_mock/conformance/runs/${encodeURIComponent(run.id)}/report?format=${format}`;
  const address = `${addressOf('html')}${theme === 'system' ? '' : `&theme=${theme}`}`;
  // Links and frames cannot send a token: where one is needed the report is fetched.
  const isPublic = Object.keys(headers).length === 0;
  const [loaded, setLoaded] = useState('');
  const { value, error } = useLoaded(
    async () => (isPublic ? undefined : withoutScript(await fetchText(session, address))),
    [address, isPublic],
  );
  const save = (format: 'html' | 'json'): void =>
    void act(async () =>
      saveFile(`report-${run.id}.${format}`, await fetchText(session, addressOf(format))),
    );
  const source = isPublic
    ? { src: address, sandbox: 'allow-scripts' }
    : { srcdoc: value, sandbox: '' };
  return html`<section class="report" aria-labelledby="report-title">
    <div class="line">
      <h1 id="report-title">Report of ${run.id}: ${run.target}</h1>
      ${isPublic && html`<a href=${address} target="_blank" rel="noreferrer">Open in a new tab</a>`}
      <button type="button" onClick=${() => save('html')}>Download HTML</button>
      <button type="button" onClick=${() => save('json')}>Download JSON</button>
      <a href=${renderRoute({ section: 'tests', sandbox })}>All runs</a>
    </div>
    ${run.target === 'a copy of this mock' && html`<p class="hint">The copy was tested at the base URL below, and has stopped. Its clock was advanced instead of waiting, so times are not real.</p>`}
    <${ErrorLine} text=${error} />
    ${loaded !== address && error === undefined && html`<p class="soft" role="status">Loading the report …</p>`}
    ${
      (isPublic || value !== undefined) &&
      html`<iframe key=${address} class=${loaded === address ? '' : 'loading'} onLoad=${() => setLoaded(address)} title=${`Report of ${run.id}`} allow="clipboard-write" referrerpolicy="no-referrer" ...${source}></iframe>`
    }
  </section>`;
}

/** Under the policy of this page the script that copies would not run. */
function withoutScript(whole: string): string {
  return whole.replaceAll(/<script[^]*?<\/script>/g, '');
}
