import { html, renderProse, type Html } from '../view/element.ts';
import type { Field, FieldKind, Option } from './field.ts';

interface FieldInputProps {
  readonly id: string;
  readonly field: Field;
  readonly text: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
}

/** A field with its label, its hint and its error. */
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
  const isTall = tall.has(kind);
  const height = Math.min(20, Math.max(rows, text.split('\n').length + 1));
  return html`<div class=${isTall ? 'field wide' : 'field'}>
    <label for=${id}>${label}</label>
    ${
      kind === 'choice' || kind === 'value'
        ? html`<select ...${control}><${Options} options=${options} value=${text} /></select>`
        : isTall
          ? html`<textarea ...${control} rows=${height}></textarea>`
          : html`<input ...${control} type=${types[kind] ?? 'text'} inputmode=${modes[kind]} step=${kind === 'time' ? 1 : undefined} />`
    }
    ${notes}
  </div>`;
}

const tall: ReadonlySet<FieldKind> = new Set(['json', 'loose', 'lines', 'headers']);

type ByKind = Readonly<Partial<Record<FieldKind, string>>>;

/** The form explains invalid input itself, so the browser's validation is turned off. */
const types: ByKind = { secret: 'password', time: 'datetime-local' };

const modes: ByKind = { number: 'decimal', url: 'url' };

interface OptionsProps {
  readonly options: readonly Option[];
  readonly value: string | undefined;
}

function Options({ options, value }: OptionsProps): Html {
  return options.map(
    ([one, label]) =>
      html`<option key=${one} value=${one} selected=${one === value}>${label}</option>`,
  );
}

interface SelectProps extends OptionsProps {
  readonly label: string;
  readonly onValue: (value: string) => void;
}

/** A select outside of a form, which takes effect at once. */
export function Select({ label, options, value, onValue }: SelectProps): Html {
  return html`<label class="select"
    ><span>${label}</span>
    <select value=${value} onChange=${(event: Event) => onValue(textOf(event))}>
      <${Options} options=${options} value=${value} />
    </select>
  </label>`;
}

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Asks for a JSON file. The same file can be chosen again. */
export function FileButton({ label, onFile }: FileButtonProps): Html {
  const choose = ({ currentTarget: input }: Event): void => {
    if (!(input instanceof HTMLInputElement)) return;
    const [file] = input.files ?? [];
    input.value = '';
    if (file !== undefined) onFile(file);
  };
  return html`<label class="file">
    <span>${label}</span>
    <input type="file" accept=".json,application/json" class="visually-hidden" onChange=${choose} />
  </label>`;
}

/** The text of an input or select element. */
export function textOf({ currentTarget }: Event): string {
  return currentTarget instanceof HTMLInputElement ||
    currentTarget instanceof HTMLSelectElement ||
    currentTarget instanceof HTMLTextAreaElement
    ? currentTarget.value
    : '';
}
