import type { JournalEntry, Mock } from '../../../../mock/index.ts';
import { type VisibleText, showJson } from '../../../../view/visible.ts';
import type { TextLayout } from '../../../../report/text/layout.ts';

/** Writes what a mock is asked, in the order in which it was. */
export interface RequestLog {
  /** A request that was answered. */
  readonly onEntry: (entry: JournalEntry) => void;
  /** Resolved when all that was answered is written. */
  readonly end: () => Promise<void>;
}

interface LogForm {
  readonly log: 'text' | 'json';
  readonly layout: TextLayout;
  readonly write: (line: VisibleText) => void;
}

/**
 * A line for each request. How it is rendered is loaded with the first of them, which keeps the
 * start quick; those that come meanwhile wait for it.
 */
export function createRequestLog(openMock: () => Mock, form: LogForm): RequestLog {
  let render: ((entry: JournalEntry) => VisibleText) | undefined;
  let opened: Promise<void> | undefined;
  const waiting: JournalEntry[] = [];
  const open = async (): Promise<void> => {
    const opening = await openRenderer(openMock(), form);
    for (const entry of waiting.splice(0)) form.write(opening(entry));
    render = opening;
  };
  return {
    onEntry: (entry) => {
      if (render !== undefined) {
        form.write(render(entry));
        return;
      }
      waiting.push(entry);
      opened ??= open();
    },
    end: async () => await opened,
  };
}

async function openRenderer(
  mock: Mock,
  { log, layout }: LogForm,
): Promise<(entry: JournalEntry) => VisibleText> {
  const control = await mock.control();
  if (log === 'text') {
    const { renderEntry } = await import('./log.ts');
    return (entry) => renderEntry(entry, layout, control.hints(entry));
  }
  return (entry) => {
    // What clients send in bodies stays in the journal: it may hold a key of another service.
    const { body: _body, callbacks: _callbacks, ...shown } = control.present(entry);
    return showJson({ kind: 'request', ...shown });
  };
}
