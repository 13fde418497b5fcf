import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import { describeError } from '../session/describe-error.ts';
import { composeDraft, openDraft, restName } from './draft.ts';
import { ErrorLine } from './error-line.ts';
import { keepNumber } from './exact-json.ts';
import type { Field, Texts } from './field.ts';
import { FieldInput } from './field-input.ts';

interface FormProps<Body> {
  /** Its title, which says what it does: `Add a fault`. */
  readonly title: string;
  /** Heading level of the title. Default: 3. */
  readonly level?: 2 | 3;
  /** The sandbox that it changes, shown beside the title. */
  readonly sandbox?: string;
  readonly fields: readonly Field[];
  /** Initial body. */
  readonly value?: object;
  /** State of its texts, if the caller keeps it. Each edit makes a new object. */
  readonly state?: readonly [texts: Texts, setTexts: (texts: Texts) => void];
  /** Labels of its submit buttons. Enter presses the first. */
  readonly submit: readonly string[];
  /**
   * Rejects if the mock refuses the body. Shows the reason at the fields that it names, and keeps
   * the input.
   */
  readonly onSubmit: (body: Body, button: string) => Promise<unknown>;
  readonly onCancel?: () => void;
  /** `row`: one line without a title. Default: a card. */
  readonly layout?: 'card' | 'row';
  /** Label of a field for all members without a field of their own. */
  readonly rest?: string;
  readonly isReset?: boolean;
  /** Shown beside the buttons. */
  readonly children?: Html;
}

/** The only form component: fields defined by data, their errors, and buttons. */
export function Form<Body>(props: FormProps<Body>): Html {
  const {
    title,
    sandbox,
    fields,
    value = {},
    submit,
    onSubmit,
    onCancel,
    layout = 'card',
    rest,
  } = props;
  const own = useState(() => openDraft(value, fields));
  const [texts, setTexts] = props.state ?? own;
  // Errors are shown after the first submission, so that none moves a button while it is pressed.
  const [isSent, setIsSent] = useState(false);
  const [isMore, setIsMore] = useState(() =>
    fields.some(({ name, isMore: isFolded }) => isFolded === true && Boolean(texts[name])),
  );
  const [error, setError] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // A form that is opened takes the focus; one that is always visible does not.
  useEffect(() => {
    if (onCancel !== undefined) heading.current?.focus();
  }, []);
  const refusal = splitRefusal(error, fields);
  useEffect(() => focusFirst(refusal.byField), [error]);

  const composed = composeDraft(texts, fields);
  const errors = 'errors' in composed ? composed.errors : {};
  const errorOf = ({ name, kind }: Field): string | undefined =>
    (isSent || kind === 'json' ? errors[name] : undefined) ?? refusal.byField[name];

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsSent(true);
    setError('');
    if ('errors' in composed) {
      focusFirst(errors);
      return;
    }
    const button = event.submitter?.getAttribute('value') ?? submit[0] ?? '';
    // The body that will be sent. The mock validates it.
    const body: Body = JSON.parse(JSON.stringify(composed.body), keepNumber);
    setIsBusy(true);
    onSubmit(body, button)
      .then(() => {
        if (props.isReset !== true) return;
        setTexts(openDraft(value, fields));
        setIsSent(false);
      })
      .catch((reason: unknown) => setError(describeError(reason)))
      .finally(() => setIsBusy(false));
  };
  const shown = fields.filter(({ isShown }) => isShown?.(texts) !== false);
  const more = shown.filter((field) => field.isMore === true);
  const others: readonly Field[] =
    rest === undefined
      ? []
      : [{ name: restName, label: rest, kind: 'json', rows: fields.length === 0 ? 8 : 2 }];
  const render = (some: readonly Field[]): Html =>
    some.length > 0 && html`<div class="fields">${some.map(renderField)}</div>`;
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
    ${render(shown.filter((field) => !more.includes(field)))}
    ${
      more.length > 0
        ? html`<details
            open=${isMore || more.some((field) => errorOf(field) !== undefined)}
            onToggle=${({ currentTarget }: Event) => setIsMore(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
          >
            <summary>More options</summary>
            ${render([...more, ...others])}
          </details>`
        : render(others)
    }
    <${ErrorLine} text=${refusal.other} />
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
      ${onCancel !== undefined && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
      ${props.children}
    </div>
  </form>`;

  function renderField(field: Field): Html {
    const { name } = field;
    return html`<${FieldInput}
      key=${name}
      id=${`${id}${name}`}
      field=${field}
      text=${texts[name] ?? ''}
      error=${errorOf(field)}
      onText=${(text: string) => {
        setTexts({ ...texts, [name]: text });
        setError('');
      }}
    />`;
  }

  function focusFirst(wrong: Texts): void {
    const first = [...fields, { name: restName }].find(({ name }) => wrong[name]);
    if (first !== undefined)
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first.name)}"]`)?.focus();
  }
}

/**
 * Splits a refusal by the fields that its JSON pointers name, and replaces names by labels: `name
 * is required (at /name); age must be an integer (at /age)`. `other`: the whole message, if a part
 * belongs to no field.
 */
export function splitRefusal(
  message: string,
  fields: readonly Field[],
): { readonly byField: Texts; readonly other: string } {
  const byField: Record<string, string> = {};
  const parts = [...message.matchAll(/([^;:]+) \(at ([^)]*)\)/g)];
  const named = parts.filter(([, text = '', pointer = '']) => {
    const field = fields.find(({ name }) => `${pointer}/`.startsWith(`${name}/`));
    if (field === undefined) return false;
    const own = pointer === field.name ? text.trim().replace(/^\S+/, field.label) : text.trim();
    const known = byField[field.name];
    byField[field.name] = known === undefined ? `${own}.` : `${known} ${own}.`;
    return true;
  });
  const isWhole = message !== '' && (parts.length === 0 || named.length < parts.length);
  return { byField, other: isWhole ? message : '' };
}
