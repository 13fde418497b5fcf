import { html, renderProse, type Html } from '../../../view/element.ts';
import type { Question } from '../../session/types.ts';

interface QuestionChoicesProps {
  readonly question: Question;
  readonly chosen: string | undefined;
  /** The choice is not the usual one. */
  readonly isChanged: boolean;
  readonly onChoose: (choice: string) => void;
}

/** A question with its choices, one of which is made. */
export function QuestionChoices(props: QuestionChoicesProps): Html {
  const { question, chosen, isChanged, onChoose } = props;
  const { id, pointer, choices } = question;
  return html`<fieldset>
    <legend>${renderProse(question.question)}${isChanged && html` <strong class="badge">changed</strong>`}</legend>
    ${choices.map(
      (choice) => html`<label key=${choice.id} class=${choice.id === chosen ? 'chosen' : ''}>
        <input type="radio" name=${`question-${id}`} value=${choice.id} checked=${choice.id === chosen} onChange=${() => onChoose(choice.id)} />
        <span>${renderProse(choice.description)}${choice.id === question.default && html` <small class="soft">usual</small>`}</span>
      </label>`,
    )}
    <p class="soft"><code>${id}</code>, by <code>${pointer}</code></p>
  </fieldset>`;
}
