import { html, type Html } from '../../view/element.ts';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'url' | 'password' | 'number';
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly placeholder?: string;
}

/** A field of a form with its name, a hint, and what is wrong with it. */
export function Field({ id, label, hint, error, type = 'text', ...field }: FieldProps): Html {
  const { value, onValue, placeholder } = field;
  const described = [
    hint === undefined ? '' : `${id}-hint`,
    error === undefined ? '' : `${id}-error`,
  ];
  const change = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) onValue(target.value);
  };
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      type=${type === 'number' || type === 'url' ? 'text' : type}
      inputmode=${inputModes[type]}
      value=${value}
      onInput=${change}
      placeholder=${placeholder}
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${error === undefined ? undefined : 'true'}
      aria-describedby=${described.join(' ').trim() || undefined}
    />
    ${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${error !== undefined && html`<p class="error" id=${`${id}-error`}>${error}</p>`}
  </div>`;
}

/** What is wrong is said by the form itself, in words, so the browser is only asked for a keyboard. */
const inputModes: Readonly<Record<NonNullable<FieldProps['type']>, string | undefined>> = {
  text: undefined,
  password: undefined,
  url: 'url',
  number: 'numeric',
};
