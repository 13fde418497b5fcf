import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/describe-error.ts';

/** The most that the mock accepts; a larger file is not sent. */
const mostBytes = 32 * 1024 * 1024;

/** Opens a `report.json`: chosen, or dropped here. */
export function OpenFile({
  session,
  onOpen,
}: {
  session: Session;
  onOpen: (run: Run) => void;
}): Html {
  const [problem, setProblem] = useState('');
  const open = (file: File | undefined): void => {
    if (file === undefined) return;
    setProblem('');
    sendFile(session, file).then(onOpen, (error: unknown) =>
      setProblem(`${file.name}: ${describeError(error)}`),
    );
  };
  const choose = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    open(target.files?.[0]);
    target.value = '';
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    open(event.dataTransfer?.files[0]);
  };
  return html`<div class="drop" onDragOver=${(event: DragEvent) => event.preventDefault()} onDrop=${drop}>
    <label>Open a report.json <input type="file" accept=".json,application/json" onChange=${choose} /></label>
    <p class="hint">Or drop it here. <code>petstore conform --report</code> writes one.</p>
    <p class="error" role="alert">${problem}</p>
  </div>`;
}

/** As it is: parsed and written again, its numbers might change. */
async function sendFile({ headers }: Session, file: File): Promise<Run> {
  if (file.size > mostBytes) throw new Error('It is larger than 32 MiB.');
  const response = await fetch('/_mock/conformance/reports', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: file,
  });
  const answer: Run & { readonly message?: string } = await response.json();
  if (!response.ok)
    throw new Error(answer.message ?? `The mock responded with ${response.status}.`);
  return answer;
}
