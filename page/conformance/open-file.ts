import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';

interface OpenFileProps {
  readonly session: Session;
  readonly onOpen: (run: Run) => void;
}

/** As the mock takes it; a larger file is not sent at all. */
const mostBytes = 32 * 1024 * 1024;

/** Opens a `report.json` that was kept: chosen, or dropped here. */
export function OpenFile({ session, onOpen }: OpenFileProps): Html {
  const [problem, setProblem] = useState('');
  const [isOver, setIsOver] = useState(false);
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
  const follow = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    open(event.dataTransfer?.files[0]);
  };
  return html`<div class="drop ${isOver ? 'over' : ''}" onDragOver=${follow} onDragLeave=${() => setIsOver(false)} onDrop=${drop}>
    <label>Open a report.json that was kept <input type="file" accept=".json,application/json" onChange=${choose} /></label>
    <p class="hint">It may be dropped here too. petstore conform --report writes one.</p>
    <p class="error" role="alert">${problem}</p>
  </div>`;
}

/** As it is: read and written again, its numbers might change. */
async function sendFile({ headers }: Session, file: File): Promise<Run> {
  if (file.size > mostBytes) throw new Error('It is larger than 32 MiB.');
  const response = await fetch('/_mock/conformance/reports', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: file,
  });
  const answer: Run & { readonly message?: string } = await response.json();
  if (!response.ok) throw new Error(answer.message ?? `The mock refused (${response.status}).`);
  return answer;
}
