import { useEffect, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { saveFile } from '../session/save-file.ts';
import { renderRoute } from '../session/route.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/describe-error.ts';

/** The report page that the suite renders. It holds what a server sent: its frame has no rights of this page. */
export function ReportView({ session, run }: { session: Session; run: Run }): Html {
  const [problem, setProblem] = useState('');
  const [text, setText] = useState<string>();
  // Links and frames cannot send a token: where one is needed the report is fetched.
  const isPublic = Object.keys(session.headers).length === 0;
  const theme = session.theme === 'system' ? '' : session.theme;
  const address = addressOf(run.id, 'html', theme);
  useEffect(() => {
    let isCurrent = true;
    setText(undefined);
    setProblem('');
    if (!isPublic)
      fetchReport(session, address).then(
        (whole) => isCurrent && setText(withoutScript(whole)),
        (error: unknown) => isCurrent && setProblem(describeError(error)),
      );
    return () => {
      isCurrent = false;
    };
  }, [address, isPublic]);
  const save = (format: Format): void => {
    fetchReport(session, addressOf(run.id, format)).then(
      (whole) => saveFile(`report-${run.id}.${format}`, whole),
      (error: unknown) => setProblem(describeError(error)),
    );
  };
  const source = isPublic
    ? { src: address, sandbox: 'allow-scripts' }
    : { srcdoc: text, sandbox: '' };
  return html`<section class="report" aria-labelledby="report-title">
    <div class="line">
      <h1 id="report-title">Report of ${run.id}: ${run.target}</h1>
      ${isPublic && html`<a href=${address} target="_blank" rel="noreferrer">Open in a new tab</a>`}
      <button type="button" onClick=${() => save('html')}>Download HTML</button>
      <button type="button" onClick=${() => save('json')}>Download JSON</button>
      <a href=${renderRoute({ section: 'conformance', sandbox: session.sandbox })}>All runs</a>
    </div>
    ${run.target === 'this mock' && html`<p class="hint">The run tested a copy of this mock at the base URL below. The copy has stopped. Its clock was advanced instead of waiting, so times are not real.</p>`}
    <p class="error" role="alert">${problem}</p>
    ${
      (isPublic || text !== undefined) &&
      html`<iframe key=${address} title=${`Report of ${run.id}`} allow="clipboard-write" referrerpolicy="no-referrer" ...${source}></iframe>`
    }
  </section>`;
}

/** Under the policy of this page the script that copies would not run. */
function withoutScript(whole: string): string {
  return whole.replaceAll(/<script[^]*?<\/script>/g, '');
}

type Format = 'html' | 'json';

function addressOf(id: string, format: Format, theme = ''): string {
  const look = theme === '' ? '' : `&theme=${theme}`;
  return `/_mock/conformance/runs/${encodeURIComponent(id)}/report?format=${format}${look}`;
}

async function fetchReport(session: Session, address: string): Promise<string> {
  const response = await fetch(address, { headers: session.headers });
  if (!response.ok) throw new Error(`The report cannot be read (${response.status}).`);
  return await response.text();
}
