import { type Html, html, renderProse } from '../../view/element.ts';
import { changedQuestions } from '../session/choices.ts';
import { renderRoute } from '../session/route.ts';
import type { SectionProps } from '../session/session.ts';
import type { Question } from '../session/types.ts';
import { useLoaded } from '../session/use-loaded.ts';

/** What the mock does where the document leaves it open. */
export function Choices({ session }: SectionProps): Html {
  const { mock, control, sandbox, events } = session;
  const { value: loaded, error } = useLoaded(
    async () => ({ sandbox, choices: await control.call('readChoices', { sandbox }) }),
    [sandbox, mock.instance, events],
  );
  const value = loaded?.sandbox === sandbox ? loaded.choices : undefined;
  if (mock.questions.length === 0) return null;
  const others = changedQuestions(mock.questions, value);
  const listed = (questions: readonly Question[]): Html => html`<dl>
    ${questions.map(
      ({ id, question, choices }) => html`<div key=${id}>
        <dt>${renderProse(question)}</dt>
        <dd>${renderProse(choices.find((choice) => choice.id === value?.[id])?.description ?? value?.[id] ?? '')}</dd>
      </div>`,
    )}
  </dl>`;
  return html`<h2>What the mock chose</h2>
    ${mock.like !== undefined && html`<p>It makes the choices of the report <code>${mock.like}</code>.</p>`}
    <p class="error">${error}</p>
    ${others.length > 0 && html`<p>Other than usual in the sandbox ${sandbox}:</p>`}
    ${others.length > 0 && listed(others)}
    <details class="choices">
      <summary>The document leaves ${mock.questions.length} questions open. What the mock does in the sandbox ${sandbox}</summary>
      ${listed(mock.questions)}
      <p><a href=${renderRoute({ section: 'sandboxes', sandbox })}>Choose otherwise under Sandboxes</a></p>
    </details>`;
}
