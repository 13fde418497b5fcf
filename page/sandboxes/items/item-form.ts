import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Collection } from '../../session/types.ts';
import { textOf } from '../panel/form-data.ts';
import { ErrorLine } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { type Draft, composeDraft, openDraft, parseItem } from './draft.ts';
import { readFieldErrors } from './field-errors.ts';
import { ItemField } from './item-field.ts';
import type { Item } from './members.ts';

export interface ItemFormProps {
  readonly title: string;
  readonly collection: Collection;
  /** What it begins with. */
  readonly item: Item;
  readonly submit: string;
  readonly onSubmit: (item: Item) => Promise<unknown>;
  readonly onClose: () => void;
}

/** An item as fields with the rest as JSON, or as JSON in whole. What was typed stays when it is refused. */
export function ItemForm(props: ItemFormProps): Html {
  const { title, collection, submit, onSubmit, onClose } = props;
  const { members, pointer } = collection;
  const [draft, setDraft] = useState<Draft>(() => openDraft(props.item, members));
  const [json, setJson] = useState<string | undefined>(
    draft.fields.length === 0 ? JSON.stringify(props.item, undefined, 2) : undefined,
  );
  const { run, error, fail, isBusy } = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => heading.current?.focus(), []);

  const compose = () => (json === undefined ? composeDraft(draft) : parseItem(json));
  const turn = (): void => {
    const composed = compose();
    if ('message' in composed) {
      fail(composed.message);
      return;
    }
    fail(undefined);
    setDraft(openDraft(composed.item, members));
    setJson(json === undefined ? JSON.stringify(composed.item, undefined, 2) : undefined);
  };
  const save = (event: Event): void => {
    event.preventDefault();
    const composed = compose();
    if ('message' in composed) fail(composed.message);
    else void run(async () => await onSubmit(composed.item)).then((isDone) => isDone && onClose());
  };
  const errors = readFieldErrors(error ?? '');
  // A sample without an identifier gets one.
  const isGiven = collection.id !== undefined && props.item[collection.id] === undefined;
  const fields = html`<div class="entries">
      ${draft.fields.map(
        (member) => html`<${ItemField}
          key=${member.name}
          member=${member}
          text=${draft.texts[member.name] ?? ''}
          error=${errors.get(member.name)}
          absence=${isGiven && member.name === collection.id ? 'given by the mock if empty' : undefined}
          onText=${(text: string) => setDraft({ ...draft, texts: { ...draft.texts, [member.name]: text } })}
        />`,
      )}
    </div>
    <label class="block"
      ><span>Other members, as JSON</span>
      <textarea rows=${Math.min(14, draft.rest.split('\n').length + 1)} spellcheck=${false} value=${draft.rest} onInput=${(event: Event) => setDraft({ ...draft, rest: textOf(event) })}></textarea>
    </label>`;
  const whole = html`<label class="block"
    ><span>The item, as JSON</span>
    <textarea rows=${Math.min(24, (json ?? '').split('\n').length + 2)} spellcheck=${false} value=${json} onInput=${(event: Event) => setJson(textOf(event))}></textarea>
  </label>`;
  return html`<form class="item-form" aria-labelledby=${`${id}-title`} onSubmit=${save} novalidate>
    <h3 id=${`${id}-title`} tabindex="-1" ref=${heading}>${title}</h3>
    ${json === undefined ? fields : whole}
    <${ErrorLine} text=${error} />
    ${error !== undefined && pointer !== undefined && html`<p class="soft">An item is described at <code>${pointer}</code>.</p>`}
    <div class="tools">
      <button type="submit" class="main" aria-disabled=${isBusy ? 'true' : undefined}>${submit}</button>
      <button type="button" onClick=${onClose}>Cancel</button>
      ${(json !== undefined || draft.fields.length > 0) && html`<button type="button" class="quiet" onClick=${turn}>${json === undefined ? 'As JSON' : 'As fields'}</button>`}
    </div>
  </form>`;
}
