import { useState } from 'preact/hooks';
import type { Run } from '../../mock/control/client.ts';
import { html, type Html, renderProse } from '../view/element.ts';
import { Table } from '../view/table.ts';
import { ErrorLine } from '../form/error-line.ts';
import { choice } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { renderMoment } from '../session/clock.ts';
import { useLoaded } from '../session/hooks.ts';
import type { RouteQuery } from '../session/route.ts';
import { fetchText, saveFile, useSession } from '../session/session.ts';

/**
 * The HTML report of the suite. It contains texts of a server, so its frame is isolated from this
 * page.
 */
export function ReportView({ run }: { readonly run: Run }): Html {
  const session = useSession();
  const { act, token, linkTo } = session;
  const addressOf = (format: 'html' | 'json'): string =>
    `/_mock/conformance/runs/${encodeURIComponent(run.id)}/report?format=${format}`;
  const address = addressOf('html');
  // Links and frames cannot send a token: if one is needed, fetch the report.
  const isPublic = token === undefined;
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
      <a href=${linkTo('tests')}>All runs</a>
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

/** Removes the copy script, which the content security policy of this page blocks. */
function withoutScript(whole: string): string {
  return whole.replaceAll(/<script[^]*?<\/script>/g, '');
}

/** Selects two reports to compare; initially the last two. */
export function CompareForm({ runs }: { readonly runs: readonly Run[] }): Html {
  const { go } = useSession();
  const done = runs.filter(({ state }) => state === 'done');
  const [last, before] = done;
  if (last === undefined || before === undefined) return null;
  const options = done.map(
    ({ id, target, verdict, startedAt }) =>
      [id, `${id}: ${target}, ${verdict}, ${renderMoment(startedAt)}`] as const,
  );
  return html`<${Form}
    key=${last.id}
    title="Compare two reports"
    layout="row"
    fields=${[choice('/one', 'Compare', options), choice('/other', 'With', options)]}
    value=${{ one: before.id, other: last.id }}
    submit=${['Compare']}
    onSubmit=${async (query: RouteQuery) => go({ part: 'compare', query })}
  />`;
}

/** The differences of two runs. What only one of them tested is collapsed. */
export function Comparison(): Html {
  const { control, query, linkTo } = useSession();
  const { one = '', other = '' } = query;
  const { value, error } = useLoaded(
    () => control.call('compareRuns', { one, other }),
    [one, other],
  );
  const all = value?.differences ?? [];
  const untested = all.filter(({ kind }) => kind === 'untested');
  const seen = all.filter(({ kind }) => kind !== 'untested');
  const table = (label: string, differences: typeof all): Html => {
    const rows = differences.map((row) => ({
      head: [html`<code key="id">${row.requirement}</code>`, renderProse(row.sentence)],
      cells: [renderProse(row.one), renderProse(row.other)],
    }));
    const columns = ['Requirement', one, other];
    return html`<${Table} kind="differences" label=${label} columns=${columns} rows=${rows} />`;
  };
  return html`<section class="comparison" aria-labelledby="comparison-title">
    <div class="line">
      <h1 id="comparison-title">${`${one} and ${other}`}</h1>
      <a href=${linkTo('tests')}>All runs</a>
    </div>
    <${ErrorLine} text=${error} />
    <p>${value?.sentence}</p>
    ${seen.length > 0 && table('Differences', seen)}
    ${
      untested.length > 0 &&
      html`<details>
        <summary>Tested by only one of them: ${untested.length}</summary>
        ${table('Tested by only one of them', untested)}
      </details>`
    }
  </section>`;
}
