import { useId } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import { textOf } from '../panel/form-data.ts';
import { type Member, renderCell, renderValue } from './members.ts';

export interface ItemFieldProps {
  readonly member: Member;
  readonly text: string;
  readonly error: string | undefined;
  /** What happens where it is left out, if that is not plain. */
  readonly absence: string | undefined;
  readonly onText: (text: string) => void;
}

/** The field of a member, with what is wrong with it. Empty stands for a member that is left out. */
export function ItemField({ member, text, error, absence, onText }: ItemFieldProps): Html {
  const { name, type, format, required, readOnly, description } = member;
  const id = useId();
  const props = {
    id,
    name,
    value: text,
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': `${id}-hint`,
  };
  const options = optionsOf(member);
  const hint = [
    error,
    format ?? type,
    absence ?? (required && !readOnly ? 'required' : undefined),
    readOnly ? 'set by the service' : undefined,
  ];
  return html`<div class="entry">
    <label for=${id} title=${description}>${name}</label>
    ${
      options === undefined
        ? html`<input ...${props} autocomplete="off" inputmode=${type === 'string' ? undefined : 'decimal'} onInput=${(event: Event) => onText(textOf(event))} />`
        : html`<select ...${props} onChange=${(event: Event) => onText(textOf(event))}>
            <option value="" selected=${text === ''}>left out</option>
            ${options.map(([value, label]) => html`<option key=${value} value=${value} selected=${value === text}>${label}</option>`)}
          </select>`
    }
    <span id=${`${id}-hint`} class=${error === undefined ? 'remark' : 'remark error'}>${hint.filter((one) => one !== undefined).join(', ')}</span>
  </div>`;
}

type Options = readonly (readonly [value: string, label: string])[];

function optionsOf({ type, enum: values }: Member): Options | undefined {
  if (values !== undefined) return values.map((value) => [renderValue(value), renderCell(value)]);
  return type === 'boolean' ? ['true', 'false'].map((text) => [text, text]) : undefined;
}
