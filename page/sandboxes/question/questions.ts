import { useEffect, useState } from 'preact/hooks';
import { html, renderProse, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import type { Question } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { Panel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';

/** What the document leaves open, and what the mock does about it in this sandbox. */
export function Questions({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(
    async () => await control.call('readChoices', { sandbox }),
    [mock.instance, sandbox],
  );
  useRefresh(session, ['choices'], reload);
  const action = useAction();
  // Shown at once, and until it is known whether it holds.
  const [wanted, setWanted] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => setWanted({}), [value]);
  const choose = (question: string, choice: string): void => {
    setWanted({ ...wanted, [question]: choice });
    void action
      .run(async () => await control.call('setChoices', { sandbox, body: { [question]: choice } }))
      .then((isDone) => {
        if (!isDone) setWanted({});
        reload();
      });
  };
  const reset = (): void =>
    void action.run(async () => await control.call('resetChoices', { sandbox })).then(reload);
  const { questions } = mock;
  const note =
    questions.length > 0 &&
    html`<button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${reset}>Reset choices</button>`;
  return html`<${Panel} id="questions" title="Open questions" note=${note} error=${action.error ?? error}>
    ${
      questions.length === 0
        ? html`<p class="soft">This document leaves no question open as <code>x-unspecified</code>.</p>`
        : html`<p class="soft">What the document leaves open, and how this sandbox does it.</p>`
    }
    <div class="questions">
      ${questions.map((question) => html`<${Choices} key=${question.id} question=${question} chosen=${wanted[question.id] ?? value?.[question.id]} choose=${choose} />`)}
    </div>
  <//>`;
}

interface ChoicesProps {
  readonly question: Question;
  readonly chosen: string | undefined;
  readonly choose: (question: string, choice: string) => void;
}

function Choices({ question, chosen, choose }: ChoicesProps): Html {
  const { id, pointer, choices } = question;
  return html`<fieldset>
    <legend>${renderProse(question.question)}</legend>
    ${choices.map(
      (choice) => html`<label key=${choice.id} class=${choice.id === chosen ? 'chosen' : ''}>
        <input type="radio" name=${`question-${id}`} value=${choice.id} checked=${choice.id === chosen} onChange=${() => choose(id, choice.id)} />
        <span>${renderProse(choice.description)}${choice.id === question.default && html` <small class="soft">usual</small>`}</span>
      </label>`,
    )}
    <p class="soft"><code>${id}</code>, by <code>${pointer}</code></p>
  </fieldset>`;
}
