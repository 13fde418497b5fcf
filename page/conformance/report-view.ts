import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { bringToTop } from '../session/bring-to-top.ts';
import { saveFile } from '../session/save-file.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';
import { useTheme } from './use-theme.ts';

interface ReportViewProps {
  readonly session: Session;
  readonly run: Run;
  /** Whoever asked for it has the focus there. */
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/**
 * The report of a run. What a server sent stands in it: it is framed without the rights of this page.
 */
export function ReportView({ session, run, isAsked, onClose }: ReportViewProps): Html {
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState('');
  const [text, setText] = useState<string>();
  // No link and no frame can send a token: with one the report is fetched.
  const isPublic = Object.keys(session.headers).length === 0;
  useEffect(() => {
    if (heading.current === null) return;
    bringToTop(heading.current);
    if (isAsked) heading.current.focus({ preventScroll: true });
  }, [run.id, isAsked]);
  const theme = useTheme();
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
  const source = isPublic
    ? { src: address, sandbox: 'allow-scripts' }
    : { srcdoc: text, sandbox: '' };
  return html`<section class="report" aria-labelledby="report-title">
    <div class="line">
      <h2 id="report-title" tabindex="-1" ref=${heading}>Report of ${run.id}: ${run.target}</h2>
      <${ReportLinks} session=${session} run=${run} isPublic=${isPublic} onProblem=${setProblem} />
      <button type="button" onClick=${onClose}>Close</button>
    </div>
    ${run.target === 'this mock' && html`<p class="hint">The address in it is that of the copy, which is gone. The times are those of its clock, which was moved instead of waiting.</p>`}
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

interface ReportLinksProps {
  readonly session: Session;
  readonly run: Run;
  readonly isPublic: boolean;
  readonly onProblem: (problem: string) => void;
}

/** The report by itself, and its files to keep. */
function ReportLinks({ session, run, isPublic, onProblem }: ReportLinksProps): Html {
  const formats: readonly Format[] = ['html', 'json'];
  if (isPublic)
    return html`<span class="line">
      <a href=${addressOf(run.id, 'html')} target="_blank" rel="noreferrer">Open alone</a>
      ${formats.map((format) => html`<a key=${format} href=${addressOf(run.id, format)} download=${nameOf(run, format)}>report.${format}</a>`)}
    </span>`;
  const save = (format: Format): void => {
    fetchReport(session, addressOf(run.id, format)).then(
      (text) => saveFile(nameOf(run, format), text),
      (error: unknown) => onProblem(describeError(error)),
    );
  };
  return html`<span class="line">
    ${formats.map((format) => html`<button type="button" key=${format} onClick=${() => save(format)}>report.${format}</button>`)}
  </span>`;
}

function nameOf({ id }: Run, format: Format): string {
  return `report-${id}.${format}`;
}
