import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import { changedQuestions } from '../../session/choices.ts';
import type { Session } from '../../session/session.ts';
import type { Question } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { textOf } from '../panel/form-data.ts';
import { Panel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';
import { QuestionChoices } from './question-choices.ts';

/** What the document leaves open, and what the mock does about it in this sandbox. */
export function Questions({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(
    async () => await control.call('readChoices', { sandbox }),
    [mock.instance, sandbox],
  );
  useRefresh(session, ['choices'], reload);
  const action = useAction();
  const [text, setText] = useState('');
  const [isNarrow, setIsNarrow] = useState(false);
  // Shown at once, and until it is known whether it holds.
  const [wanted, setWanted] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => setWanted({}), [value]);
  const { questions } = mock;
  const chosen = (id: string): string | undefined => wanted[id] ?? value?.[id];
  const changed = changedQuestions(questions, value && { ...value, ...wanted });
  const isChanged = (question: Question): boolean => changed.includes(question);
  // What is changed while only the changed are shown stays in sight.
  const kept = useRef<ReadonlySet<string>>(new Set());
  const narrow = (only: boolean): void => {
    kept.current = new Set(changed.map(({ id }) => id));
    setIsNarrow(only);
  };
  const choose = (question: Question, choice: string): void => {
    setWanted({ ...wanted, [question.id]: choice });
    const body = { [question.id]: choice };
    void action
      .run(async () => await control.call('setChoices', { sandbox, body }))
      .then((isDone) => {
        if (isDone) session.tell(`${question.id} is ${choice} in ${sandbox} from now on.`);
        else setWanted({});
        reload();
      });
  };
  const reset = (): void =>
    void action
      .run(async () => await control.call('resetChoices', { sandbox }))
      .then((isDone) => {
        if (isDone) session.tell(`${sandbox} has the choices of the mock again.`);
        reload();
      });
  if (questions.length === 0)
    return html`<${Panel} id="questions" title="Open questions" error=${error}>
      <p class="soft">This document leaves no question open as <code>x-unspecified</code>.</p>
    <//>`;
  const isOffered = (one: Question): boolean =>
    (!isNarrow || isChanged(one) || kept.current.has(one.id)) && hasText(one, text);
  const shown = questions.filter(isOffered);
  const note = html`<button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${reset}>Reset choices</button>`;
  return html`<${Panel} id="questions" title="Open questions" note=${note} error=${action.error ?? error}>
    <p class="soft">What the document leaves open, and how this sandbox does it.</p>
    <div class="tools">
      <label>Search <input type="search" value=${text} onInput=${(event: Event) => setText(textOf(event))} /></label>
      <label class="inline"><input type="checkbox" checked=${isNarrow} onChange=${() => narrow(!isNarrow)} />Changed only</label>
      <span class="soft" role="status">${`${shown.length === questions.length ? '' : `${shown.length} of `}${questions.length} questions, ${changed.length} changed`}</span>
    </div>
    ${shown.length === 0 && html`<p class="soft">${isNarrow && text === '' ? 'All choices are the usual ones.' : 'No question has this text.'}</p>`}
    <div class="questions">
      ${shown.map(
        (question) => html`<${QuestionChoices}
          key=${question.id}
          question=${question}
          chosen=${chosen(question.id)}
          isChanged=${isChanged(question)}
          onChoose=${(choice: string) => choose(question, choice)}
        />`,
      )}
    </div>
  <//>`;
}

/** Every word of a text is looked for, in any case. */
function hasText({ id, question, pointer, choices }: Question, text: string): boolean {
  const texts = [id, question, pointer, ...choices.flatMap((one) => [one.id, one.description])];
  const all = texts.join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
