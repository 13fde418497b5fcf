import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { useAction } from '../session/hooks.ts';
import { type Draft, composeDraft, openDraft, parseObject, renderJson, restName } from './draft.ts';
import { ErrorLine } from './error-line.ts';
import { keepNumber } from './exact-json.ts';
import { type Field, type Texts, checkField } from './field.ts';
import { FieldInput } from './field-input.ts';

export interface FormProps<Body> {
  /** What it does, as its name: `Add a fault`. */
  readonly title: string;
  /** Level of the heading with the title. Default: 3. */
  readonly level?: 2 | 3;
  /** The sandbox that it changes: shown beside the title. */
  readonly sandbox?: string;
  readonly fields: readonly Field[];
  /** The body that it begins with. */
  readonly value?: object;
  /** Texts that were set from outside; put into the fields whenever it is another object. */
  readonly patch?: Texts | undefined;
  /** Labels of its buttons; Enter presses the first. */
  readonly submit: readonly string[];
  /** Rejects for what is refused: it is shown, at its field where it names one, and what was typed stays. */
  readonly onSubmit: (body: Body, button: string) => Promise<unknown>;
  /** What is wrong with the whole, by the names of fields. */
  readonly check?: (body: Body) => Readonly<Record<string, string>>;
  readonly onEdit?: (texts: Texts) => void;
  readonly onCancel?: () => void;
  /** `row`: a line without a title. Default: a card. */
  readonly layout?: 'card' | 'row';
  /** The label of a field for all members that have none; with it, the whole is edited as JSON too. */
  readonly rest?: string;
  /** Whether the fields are emptied once it is done. */
  readonly isReset?: boolean;
  /** Stands beside the buttons. */
  readonly children?: Html;
}

/** The only form of the page: fields from data, what is wrong beside each of them, and buttons. */
export function Form<Body>(props: FormProps<Body>): Html {
  const { title, sandbox, fields, value = {}, submit, onSubmit, check, layout = 'card' } = props;
  const [draft, setDraft] = useState<Draft>(() => openDraft(value, fields));
  const [json, setJson] = useState<string | undefined>(
    props.rest !== undefined && fields.length === 0 ? renderJson(value) : undefined,
  );
  // Errors are shown once it was sent, so that none moves a button while it is pressed.
  const [isSent, setIsSent] = useState(false);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [isMore, setIsMore] = useState(() =>
    fields.some((one) => one.isMore === true && (draft.texts[one.name] ?? '') !== ''),
  );
  const { run, error, fail, isBusy } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // A form that opens takes the focus; one that is part of its page does not.
  useEffect(() => {
    if (props.onCancel !== undefined) heading.current?.focus();
  }, []);
  useEffect(() => {
    if (props.patch !== undefined) edit(props.patch);
  }, [props.patch]);

  const refused = readFieldErrors(error ?? '');
  const errorOf = (field: Field): string | undefined => {
    const { name, kind } = field;
    const isChecked = isSent || kind === 'json';
    const own = isChecked ? checkField(field, draft.texts[name] ?? '') : undefined;
    return wrong[name] ?? own ?? refused.get(name);
  };
  const restError = draft.rest === '' ? undefined : messageOf(parseObject(draft.rest));
  const jsonError = json === undefined ? undefined : messageOf(parseObject(json));

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const button = event.submitter?.getAttribute('value') ?? submit[0] ?? '';
    const composed = json === undefined ? composeDraft(draft, fields) : composeWhole(json);
    // The body as it will be sent. The mock checks it.
    const body: Body = JSON.parse(
      JSON.stringify('body' in composed ? composed.body : {}),
      keepNumber,
    );
    const errors = 'errors' in composed ? composed.errors : (check?.(body) ?? {});
    setIsSent(true);
    setWrong(errors);
    fail(undefined);
    const [first] = fields.filter(({ name }) => errors[name] !== undefined);
    if (first !== undefined) focusField(first.name);
    if (Object.keys(errors).length > 0) return;
    void run(async () => await onSubmit(body, button)).then((isDone) => {
      if (!isDone || props.isReset !== true) return;
      setDraft(openDraft(value, fields));
      setIsSent(false);
    });
  };
  return html`<form
    class=${`form ${layout}`}
    ref=${form}
    novalidate
    onSubmit=${send}
    aria-label=${sandbox === undefined ? title : `${title} in sandbox ${sandbox}`}
  >
    ${
      layout === 'card' &&
      html`<${`h${props.level ?? 3}`} tabindex="-1" ref=${heading}>${title}${sandbox !== undefined && html` <small>in sandbox <b>${sandbox}</b></small>`}<//>`
    }
    ${json === undefined ? renderFields() : renderWhole()}
    <${ErrorLine} text=${error} />
    <div class="tools">
      ${submit.map(
        (label, index) => html`<button
          key=${label}
          type="submit"
          value=${label}
          class=${index === 0 && layout === 'card' ? 'main' : ''}
          aria-disabled=${isBusy ? 'true' : undefined}
        >${label}</button>`,
      )}
      ${props.onCancel !== undefined && html`<button type="button" onClick=${props.onCancel}>Cancel</button>`}
      ${
        props.rest !== undefined &&
        fields.length > 0 &&
        html`<button type="button" class="quiet" onClick=${turn}>${json === undefined ? 'Edit as JSON' : 'Edit as fields'}</button>`
      }
      ${props.children}
    </div>
  </form>`;

  function renderFields(): Html {
    const shown = fields.filter(({ isShown }) => isShown?.(draft.texts) !== false);
    const more = shown.filter(({ isMore }) => isMore === true);
    const hasRest = props.rest !== undefined;
    const isOpen = isMore || more.some((field) => errorOf(field) !== undefined);
    return html`<div class="fields">${shown.filter(({ isMore }) => isMore !== true).map(renderField)}</div>
      ${
        more.length > 0 &&
        html`<details open=${isOpen} onToggle=${({ currentTarget }: Event) => setIsMore(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}>
          <summary>More options</summary>
          <div class="fields">${more.map(renderField)}${hasRest && renderRest()}</div>
        </details>`
      }
      ${more.length === 0 && hasRest && html`<div class="fields">${renderRest()}</div>`}`;
  }

  function renderField(field: Field): Html {
    const { name } = field;
    return html`<${FieldInput}
      key=${name}
      id=${`${id}${name}`}
      field=${field}
      text=${draft.texts[name] ?? ''}
      error=${errorOf(field)}
      onText=${(text: string) => edit({ [name]: text })}
    />`;
  }

  function renderRest(): Html {
    return html`<${FieldInput}
      id=${`${id}${restName}`}
      field=${{ name: restName, label: props.rest, kind: 'json', rows: 2 }}
      text=${draft.rest}
      error=${restError}
      onText=${(rest: string) => setDraft({ ...draft, rest })}
    />`;
  }

  function renderWhole(): Html {
    return html`<${FieldInput}
      id=${`${id}whole`}
      field=${{ name: 'whole', label: 'All members, as JSON', kind: 'json', rows: 8 }}
      text=${json}
      error=${jsonError}
      onText=${setJson}
    />`;
  }

  function edit(texts: Texts): void {
    setDraft((known) => ({ ...known, texts: { ...known.texts, ...texts } }));
    setWrong({});
    fail(undefined);
    props.onEdit?.({ ...draft.texts, ...texts });
  }

  /** Between fields and JSON; stays where it is while what is typed cannot be read. */
  function turn(): void {
    if (json === undefined) {
      const composed = composeDraft(draft, fields);
      if ('body' in composed) setJson(renderJson(composed.body));
      else setWrong(composed.errors);
      return;
    }
    const parsed = parseObject(json);
    if ('message' in parsed) return;
    setDraft(openDraft(parsed.body, fields));
    setJson(undefined);
  }

  function focusField(name: string): void {
    form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
  }
}

function composeWhole(json: string): ReturnType<typeof composeDraft> {
  const parsed = parseObject(json);
  return 'body' in parsed ? parsed : { errors: { whole: parsed.message } };
}

function messageOf(parsed: ReturnType<typeof parseObject>): string | undefined {
  return 'message' in parsed ? parsed.message : undefined;
}

/**
 * What a refusal says of single members, by JSON pointers to them:
 * `name is required (at /name); age must be an integer (at /age)`.
 */
export function readFieldErrors(message: string): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const part of message.split(/[;:] /)) {
    const [, text = '', pointer = ''] = /^(.*) \(at (\/[^/)]*)/.exec(part) ?? [];
    if (pointer === '') continue;
    const known = errors.get(pointer);
    errors.set(pointer, known === undefined ? text : `${known}; ${text}`);
  }
  return errors;
}
