import { type Html, html, renderProse } from '../../view/element.ts';
import { renderRoute } from '../session/route.ts';
import type { SectionProps } from '../session/session.ts';
import { useLoaded } from '../session/use-loaded.ts';

/** What the mock does where the document leaves it open. */
export function Choices({ session }: SectionProps): Html {
  const { mock, control, sandbox, events } = session;
  const { value, error } = useLoaded(
    async () => await control.call('readChoices', { sandbox }),
    [sandbox, mock.instance, events],
  );
  if (mock.questions.length === 0) return null;
  return html`<h2>What the mock chose</h2>
    ${mock.like !== undefined && html`<p>It makes the choices of the report <code>${mock.like}</code>.</p>`}
    <p class="error">${error}</p>
    <details class="choices">
      <summary>The document leaves ${mock.questions.length} questions open. What the mock does in the sandbox ${sandbox}</summary>
      <dl>
        ${mock.questions.map(
          ({ id, question, choices }) => html`<div key=${id}>
            <dt>${renderProse(question)}</dt>
            <dd>${renderProse(choices.find((choice) => choice.id === value?.[id])?.description ?? value?.[id] ?? '')}</dd>
          </div>`,
        )}
      </dl>
      <p><a href=${renderRoute({ section: 'sandboxes', sandbox })}>Choose otherwise under Sandboxes</a></p>
    </details>`;
}
