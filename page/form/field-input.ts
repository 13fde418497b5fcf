import { html, renderProse, type Html } from '../view/element.ts';
import type { Field, FieldKind, Option } from './field.ts';

export interface FieldInputProps {
  readonly id: string;
  readonly field: Field;
  readonly text: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
}

/** A field with its label, its hint, and below them what is wrong with it. */
export function FieldInput(props: FieldInputProps): Html {
  const { id, field, text, error, onText } = props;
  const { name, label, kind = 'text', hint, placeholder, options = [], rows = 3 } = field;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    value: text,
    placeholder,
    autocomplete: 'off',
    spellcheck: false,
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': described === '' ? undefined : described,
    onInput: (event: Event) => onText(textOf(event)),
  };
  const notes = html`${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${error !== undefined && html`<p class="error" id=${`${id}-error`}>${error}</p>`}`;
  if (kind === 'check')
    return html`<div class="field wide">
      <label class="inline"
        ><input ...${control} type="checkbox" value="true" checked=${text === 'true'} onInput=${() => onText(text === 'true' ? '' : 'true')} />${label}</label
      >
      ${notes}
    </div>`;
  if (kind === 'radio')
    return html`<fieldset class="field wide" aria-describedby=${control['aria-describedby']}>
      <legend>${renderProse(label)}</legend>
      ${options.map(
        ([
          value,
          title,
        ]) => html`<label key=${value} class=${value === text ? 'inline chosen' : 'inline'}
          ><input type="radio" name=${id} value=${value} checked=${value === text} onChange=${() => onText(value)} /><span>${renderProse(title)}</span></label
        >`,
      )}
      ${notes}
    </fieldset>`;
  if (kind === 'choice' || kind === 'value')
    return html`<div class="field">
      <label for=${id}>${label}</label>
      <select ...${control}><${Options} options=${options} value=${text} /></select>
      ${notes}
    </div>`;
  if (tall.has(kind))
    return html`<div class="field wide">
      <label for=${id}>${label}</label>
      <textarea ...${control} rows=${Math.min(20, Math.max(rows, text.split('\n').length + 1))}></textarea>
      ${notes}
    </div>`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input ...${control} type=${types[kind] ?? 'text'} inputmode=${modes[kind]} step=${kind === 'time' ? 1 : undefined} />
    ${notes}
  </div>`;
}

const tall: ReadonlySet<FieldKind> = new Set(['json', 'loose', 'lines', 'headers']);

/** What is wrong with a text is said in words by the form, so browsers check nothing. */
const types: Readonly<Partial<Record<FieldKind, string>>> = {
  secret: 'password',
  time: 'datetime-local',
};

const modes: Readonly<Partial<Record<FieldKind, string>>> = {
  number: 'decimal',
  url: 'url',
};

/** The options of a select. */
export function Options({
  options,
  value,
}: {
  readonly options: readonly Option[];
  readonly value: string | undefined;
}): Html {
  return options.map(
    ([one, label]) =>
      html`<option key=${one} value=${one} selected=${one === value}>${label}</option>`,
  );
}

export interface SelectProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onValue: (value: string) => void;
}

/** A choice outside of a form: it takes effect at once. */
export function Select({ label, options, value, onValue }: SelectProps): Html {
  return html`<label class="select"
    ><span>${label}</span>
    <select value=${value} onChange=${(event: Event) => onValue(textOf(event))}>
      <${Options} options=${options} value=${value} />
    </select>
  </label>`;
}

/** Where something is typed or chosen: its text. */
export function textOf({ currentTarget }: Event): string {
  return currentTarget instanceof HTMLInputElement ||
    currentTarget instanceof HTMLSelectElement ||
    currentTarget instanceof HTMLTextAreaElement
    ? currentTarget.value
    : '';
}
