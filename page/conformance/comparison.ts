import type { ControlResponse } from '../../mock/control/client.ts';
import { html, type Html, renderProse } from '../view/element.ts';
import { Table } from '../view/table.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { renderMoment } from '../session/clock.ts';
import { useLoaded } from '../session/hooks.ts';
import { renderRoute } from '../session/route.ts';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';

/** Chooses two reports to compare; at first the last two. */
export function CompareForm({ session, runs }: { session: Session; runs: readonly Run[] }): Html {
  const done = runs.filter(({ state }) => state === 'done');
  const [last, before] = done;
  if (last === undefined || before === undefined) return null;
  const options = done.map(
    ({ id, target, verdict, startedAt }) =>
      [id, `${id}: ${target}, ${verdict}, ${renderMoment(startedAt)}`] as const,
  );
  const fields: readonly Field[] = [
    { name: '/one', label: 'Compare', kind: 'choice', options },
    { name: '/other', label: 'With', kind: 'choice', options },
  ];
  return html`<${Form}
    key=${last.id}
    title="Compare two reports"
    layout="row"
    fields=${fields}
    value=${{ one: before.id, other: last.id }}
    submit=${['Compare']}
    onSubmit=${async (query: { readonly one: string; readonly other: string }) => session.go({ part: 'compare', query })}
  />`;
}

/** In what two runs differ; folded what only one of them shows. */
export function Comparison({ session }: { readonly session: Session }): Html {
  const { control, query, sandbox } = session;
  const { one = '', other = '' } = query;
  const { value, error } = useLoaded(
    async () => await control.call('compareRuns', { one, other }),
    [one, other],
  );
  return html`<section class="comparison" aria-labelledby="comparison-title">
    <div class="line">
      <h1 id="comparison-title">${`${one} and ${other}`}</h1>
      <a href=${renderRoute({ section: 'tests', sandbox })}>All runs</a>
    </div>
    <p class="error" role="alert">${error}</p>
    ${value !== undefined && html`<${Differences} one=${one} other=${other} result=${value} />`}
  </section>`;
}

interface DifferencesProps {
  readonly one: string;
  readonly other: string;
  readonly result: ControlResponse<'compareRuns'>;
}

function Differences({ one, other, result }: DifferencesProps): Html {
  const untested = result.differences.filter(({ kind }) => kind === 'untested');
  const seen = result.differences.filter(({ kind }) => kind !== 'untested');
  const table = (label: string, rows: typeof seen): Html =>
    html`<${Table}
      kind="differences"
      label=${label}
      columns=${['Requirement', one, other]}
      rows=${rows.map((row) => ({
        head: [html`<code key="id">${row.requirement}</code>`, renderProse(row.sentence)],
        cells: [renderProse(row.one), renderProse(row.other)],
      }))}
    />`;
  return html`<p>${result.sentence}</p>
    ${seen.length > 0 && table('Differences', seen)}
    ${
      untested.length > 0 &&
      html`<details>
        <summary>Tested by only one of them: ${untested.length}</summary>
        ${table('Tested by only one of them', untested)}
      </details>`
    }`;
}
