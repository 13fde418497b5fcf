import { useEffect, useRef, useState } from 'preact/hooks';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import type { Field, Texts } from '../form/field.ts';
import { FieldInput, textOf } from '../form/field-input.ts';
import { changedQuestions } from '../session/choices.ts';
import { useLive } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Question } from '../session/types.ts';
import { Panel } from './panel.ts';

/** What the document leaves open, and what this sandbox does about it; what differs from the default first. */
export function Questions({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock, act } = session;
  const { questions } = mock;
  const { value, error } = useLive(
    session,
    ['choices'],
    async () => await control.call('readChoices', { sandbox }),
  );
  const [text, setText] = useState('');
  // Shown at once, and until it is known whether it is accepted.
  const [wanted, setWanted] = useState<Texts>({});
  useEffect(() => setWanted({}), [value]);
  const choices = value && { ...value, ...wanted };
  const changed = changedQuestions(questions, choices);
  // The first ones are those that differed when the page was opened: nothing moves while it is used.
  const first = useRef<ReadonlySet<string>>(undefined);
  if (value !== undefined) first.current ??= new Set(changed.map(({ id }) => id));
  const choose = ({ id }: Question, choice: string): void => {
    setWanted({ ...wanted, [id]: choice });
    void act(
      async () => await control.call('setChoices', { sandbox, body: { [id]: choice } }),
      `${id} is now ${choice} in ${sandbox}.`,
    ).then((isDone) => !isDone && setWanted({}));
  };
  const reset = (): void =>
    void act(
      async () => await control.call('resetChoices', { sandbox }),
      `${sandbox} has the default choices again.`,
    );
  const found = questions.filter((question) => hasText(question, text));
  const tools = html`<button type="button" onClick=${reset}>Reset choices</button>`;
  return html`<${Panel} id="questions" title="Questions" sandbox=${sandbox} tools=${tools} error=${error}>
    <p class="soft">The document leaves these questions open. Choose what this sandbox does.${mock.like !== undefined && html` The default choices are those of the report <code>${mock.like}</code>.`}</p>
    <div class="tools">
      <label class="inline">Search <input type="search" value=${text} onInput=${(event: Event) => setText(textOf(event))} /></label>
      <span class="soft" role="status">${`${found.length === questions.length ? '' : `${found.length} of `}${questions.length} questions, ${changed.length} changed`}</span>
    </div>
    ${found.length === 0 && html`<p class="soft">No question contains this text.</p>`}
    ${groupQuestions(found, first.current ?? new Set()).map(
      ([group, ones], index) => html`<details key=${group} open=${text !== '' || index === 0}>
        <summary><h3>${group}</h3> <span class="soft">${countOf(ones.length, 'question')}</span></summary>
        <div class="questions">
          ${ones.map(
            (
              question,
            ) => html`<div key=${question.id} class=${changed.includes(question) ? 'question changed' : 'question'}>
              <${FieldInput}
                id=${`question-${question.id}`}
                field=${fieldOf(question)}
                text=${choices?.[question.id] ?? ''}
                onText=${(choice: string) => choose(question, choice)}
              />
              <p class="soft"><code>${question.id}</code> ${changed.includes(question) && html`<strong class="badge">changed</strong>`}</p>
            </div>`,
          )}
        </div>
      </details>`,
    )}
  <//>`;
}

function fieldOf({ id, question, choices, default: usual }: Question): Field {
  return {
    name: id,
    label: question,
    kind: 'radio',
    options: choices.map((one) => [
      one.id,
      one.id === usual ? `${one.description} (default)` : one.description,
    ]),
  };
}

type Group = readonly [title: string, questions: readonly Question[]];

/** Those that differ first, then by what they are about, as the document has it. */
function groupQuestions(
  questions: readonly Question[],
  first: ReadonlySet<string>,
): readonly Group[] {
  const groups = new Map<string, Question[]>([[changedTitle, []]]);
  for (const question of questions) {
    const title = first.has(question.id) ? changedTitle : titleOf(question.pointer);
    groups.set(title, [...(groups.get(title) ?? []), question]);
  }
  return [...groups].filter(([, ones]) => ones.length > 0);
}

const changedTitle = 'Not the default';

/** What a pointer into the document is about: a path, a schema, or one of its parts. */
function titleOf(pointer: string): string {
  const [part = '', inner = '', name = ''] = pointer.replace(/^#\//, '').split('/');
  if (part === 'paths')
    return inner === ''
      ? 'All operations'
      : decodeURIComponent(inner).replaceAll('~1', '/').replaceAll('~0', '~');
  if (part === 'components')
    return inner === 'schemas' ? `Schema ${name}` : 'Responses, headers and keys';
  return part === 'x-rate-limit' ? 'Rate limit' : 'The document';
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
