import { html, type Html, renderProse } from '../view/element.ts';
import { Table } from '../view/table.ts';
import { ErrorLine } from '../form/error-line.ts';
import { choice } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { renderMoment } from '../session/clock.ts';
import { useLoaded } from '../session/hooks.ts';
import { type RouteQuery, renderRoute } from '../session/route.ts';
import type { SectionProps, Session } from '../session/session.ts';
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
  return html`<${Form}
    key=${last.id}
    title="Compare two reports"
    layout="row"
    fields=${[choice('/one', 'Compare', options), choice('/other', 'With', options)]}
    value=${{ one: before.id, other: last.id }}
    submit=${['Compare']}
    onSubmit=${async (query: RouteQuery) => session.go({ part: 'compare', query })}
  />`;
}

/** In what two runs differ; folded what only one of them shows. */
export function Comparison({ session }: SectionProps): Html {
  const { control, query, sandbox } = session;
  const { one = '', other = '' } = query;
  const { value, error } = useLoaded(
    async () => await control.call('compareRuns', { one, other }),
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
      <a href=${renderRoute({ section: 'tests', sandbox })}>All runs</a>
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
