import { useEffect, useRef, useState } from 'preact/hooks';
import type { Mock } from '../../mock/control/client.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import { resolve } from '../form/draft.ts';
import type { Field, Texts } from '../form/field.ts';
import { FieldInput, textOf } from '../form/field-input.ts';
import { useLive, useLoaded } from '../session/hooks.ts';
import { fetchDocument, useSession } from '../session/session.ts';
import { Panel } from './panel.ts';

type Question = Mock['questions'][number];

/** What the document leaves open, and what this sandbox does about it; what differs from the default first. */
export function Questions(): Html {
  const session = useSession();
  const { call, sandbox, mock, act } = session;
  const { questions } = mock;
  const { value, error } = useLive(['choices'], () => call('readChoices'));
  const { value: titleOf } = useLoaded(async () => {
    const document = await fetchDocument(session).catch(() => undefined);
    return compileTitles(document, mock.operations);
  }, [mock]);
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
      () => call('setChoices', { body: { [id]: choice } }),
      `${id} is now ${choice} in ${sandbox}.`,
    ).then((isDone) => !isDone && setWanted({}));
  };
  const reset = (): void =>
    void act(() => call('resetChoices'), `${sandbox} has the default choices again.`);
  const found = questions.filter((question) => hasText(question, text));
  const tools = html`<button type="button" onClick=${reset}>Reset choices</button>`;
  return html`<${Panel} id="questions" title="Questions" tools=${tools} error=${error}>
    <p class="soft">The document leaves these questions open. Choose what this sandbox does.${mock.like !== undefined && html` The default choices are those of the report <code>${mock.like}</code>.`}</p>
    <div class="tools">
      <label class="inline">Search <input type="search" value=${text} onInput=${(event: Event) => setText(textOf(event))} /></label>
      <span class="soft" role="status">${`${found.length === questions.length ? '' : `${found.length} of `}${questions.length} questions, ${changed.length} changed`}</span>
    </div>
    ${found.length === 0 && html`<p class="soft">No question contains this text.</p>`}
    ${(titleOf === undefined ? [] : groupQuestions(found, first.current ?? new Set(), titleOf)).map(
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

/** The questions whose choice in a sandbox is not the usual one; none while that is not known. */
export function changedQuestions(
  questions: readonly Question[],
  choices: Readonly<Record<string, string>> | undefined,
): readonly Question[] {
  return questions.filter(
    ({ id, default: usual }) => choices?.[id] !== undefined && choices[id] !== usual,
  );
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

/** Those that differ first, then by what they are about, as the document has it. */
function groupQuestions(
  questions: readonly Question[],
  first: ReadonlySet<string>,
  titleOf: (question: Question) => string,
): readonly (readonly [title: string, questions: readonly Question[]])[] {
  const groups = new Map<string, Question[]>([[changedTitle, []]]);
  for (const question of questions) {
    const title = first.has(question.id) ? changedTitle : titleOf(question);
    groups.set(title, [...(groups.get(title) ?? []), question]);
  }
  return [...groups].filter(([, ones]) => ones.length > 0);
}

const changedTitle = 'Not the default';

/**
 * What a question is about, as a reader looks for it: the paths that it names, the operation where it is in
 * the document or that sends its schema, the schema itself, or a part of the document.
 */
function compileTitles(
  document: unknown,
  operations: Mock['operations'],
): (question: Question) => string {
  const described = Object.values(Object(resolve(document, '/x-unspecified')));
  return ({ id, pointer }) => {
    const [part = '', inner = '', name = ''] = parsePointer(pointer);
    const paths = resolve(
      described.find((one) => resolve(one, '/id') === id),
      '/paths',
    );
    if (Array.isArray(paths)) return paths.join(', ');
    const around = operations.find((one) => `${pointer}/`.startsWith(`${one.pointer}/`));
    if (around !== undefined) return `${around.method} ${around.path}`;
    if (part === 'paths') return inner === '' ? 'All operations' : inner;
    if (part === 'x-rate-limit') return 'Rate limit';
    if (part !== 'components') return 'The document';
    if (inner !== 'schemas') return 'Responses, headers and keys';
    const sender = operations.find((one) =>
      JSON.stringify(resolve(document, `${one.pointer}/requestBody`) ?? '').includes(
        `"#/components/schemas/${name}"`,
      ),
    );
    return sender === undefined ? `Schema ${name}` : `${sender.method} ${sender.path}`;
  };
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
