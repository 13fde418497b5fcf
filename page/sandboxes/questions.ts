import { useEffect, useRef, useState } from 'preact/hooks';
import type { Mock } from '../../mock/control/client.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import type { Field, Texts } from '../form/field.ts';
import { FieldInput } from '../form/field-input.ts';
import { useLive } from '../session/hooks.ts';
import { useSession } from '../session/session.ts';
import { Panel } from './panel.ts';

type Question = Mock['questions'][number];

/**
 * The open questions, grouped by their location in the document, with the choices of this sandbox.
 */
export function Questions(): Html {
  const { call, sandbox, mock, act } = useSession();
  const { questions } = mock;
  const { value, error } = useLive(['choices'], () => call('readChoices'));
  // Shown immediately, before the mock has accepted it.
  const [wanted, setWanted] = useState<Texts>({});
  useEffect(() => setWanted({}), [value]);
  const choices = value && { ...value, ...wanted };
  const changed = changedQuestions(questions, choices);
  // Groups with changes when the page opens are expanded; later ones are not, so that nothing moves
  // during use.
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
  const tools = html`<button type="button" onClick=${reset}>Reset choices</button>`;
  return html`<${Panel} id="questions" title="Questions" tools=${tools} error=${error}>
    <p class="soft">The document leaves these questions open. Choose what this sandbox does.${mock.like !== undefined && html` The default choices are those of the report <code>${mock.like}</code>.`}</p>
    <p class="soft" role="status">${`${questions.length} questions, ${changed.length} changed`}</p>
    ${[...Map.groupBy(questions, (one) => placeOf(one, mock.operations))].map(
      ([
        group,
        ones,
      ]) => html`<details key=${group} open=${ones.some(({ id }) => first.current?.has(id))}>
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

/** The questions whose choice in a sandbox is not the default; none until loaded. */
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

/** Where a question is in the document: an operation, a path, a schema, or another part. */
function placeOf({ pointer }: Question, operations: Mock['operations']): string {
  const around = operations.find((one) => `${pointer}/`.startsWith(`${one.pointer}/`));
  if (around !== undefined) return `${around.method} ${around.path}`;
  const [part = '', inner = '', name = ''] = parsePointer(pointer);
  if (part === 'paths') return inner === '' ? 'All operations' : inner;
  if (part === 'x-rate-limit') return 'Rate limit';
  if (part !== 'components') return 'The document';
  return inner === 'schemas' ? `Schema ${name}` : 'Responses, headers and keys';
}
