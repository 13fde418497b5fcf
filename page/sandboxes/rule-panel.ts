import { useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useLive } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Mock } from '../session/types.ts';
import { AskButton, Panel, focusPanel } from './panel.ts';

/** Faults or stubs: what they are called, how they are asked for, and what the mock does with them. */
export interface RuleKind<Rule extends object, Kept extends { readonly id: string }> {
  readonly part: 'faults' | 'stubs';
  readonly noun: 'fault' | 'stub';
  readonly title: string;
  /** Said where there is none. */
  readonly none: string;
  readonly fields: (mock: Pick<Mock, 'operations'>) => readonly Field[];
  readonly rest?: string;
  /** The rule of one that is kept, without what the mock added. */
  readonly ruleOf: (kept: Kept) => object;
  readonly describe: (rule: Kept) => Html;
  readonly describeUse: (kept: Kept) => string;
  readonly list: (session: Session) => Promise<readonly Kept[]>;
  readonly add: (session: Session, rule: Rule) => Promise<unknown>;
  readonly edit: (session: Session, id: string, rule: Rule) => Promise<unknown>;
  readonly remove: (session: Session, id: string) => Promise<unknown>;
  readonly clear: (session: Session) => Promise<unknown>;
}

interface RulePanelProps<Rule extends object, Kept extends { readonly id: string }> {
  readonly session: Session;
  readonly kind: RuleKind<Rule, Kept>;
}

/** The rules of a sandbox with their uses; each is edited, duplicated and removed. */
export function RulePanel<Rule extends object, Kept extends { readonly id: string }>({
  session,
  kind,
}: RulePanelProps<Rule, Kept>): Html {
  const { sandbox, act } = session;
  const { part, noun, title } = kind;
  const { value, error } = useLive(
    session,
    [part, 'requests'],
    async () => await kind.list(session),
  );
  // The rule that a form begins with; with `id` it is edited, else it is new.
  const [open, setOpen] = useState<{ readonly id?: string; readonly rule?: object }>();
  const isNew = open !== undefined && open.id === undefined;
  const change = (task: () => Promise<unknown>): void =>
    void act(task).then(() => focusPanel(part));
  const close = (): void => {
    setOpen(undefined);
    focusPanel(part);
  };
  const form =
    open !== undefined &&
    html`<${RuleForm} key=${open.id ?? open.rule} session=${session} kind=${kind} value=${open.rule} id=${open.id} onSaved=${close} onCancel=${close} />`;
  const tools = html`<span class="tools">
    <button type="button" class="main" aria-disabled=${isNew ? 'true' : undefined} onClick=${() => isNew || setOpen({})}>${`Add a ${noun}`}</button>
    ${
      value !== undefined &&
      value.length > 1 &&
      html`<${AskButton} label="Remove all" name=${`Remove all ${part}`} question=${`Remove all ${part}?`} onYes=${() => change(async () => await kind.clear(session))} />`
    }
  </span>`;
  return html`<${Panel} id=${part} title=${title} sandbox=${sandbox} tools=${tools} error=${error}>
    ${open?.id === undefined && form}
    ${value?.length === 0 && open === undefined && html`<p class="soft">${kind.none}</p>`}
    <ul class="rules">
      ${value?.map((kept) => {
        const { id } = kept;
        if (open?.id === id) return html`<li key=${id}>${form}</li>`;
        return html`<li key=${id}>
          <span>${kind.describe(kept)} <span class="soft">${kind.describeUse(kept)}</span></span>
          <span class="tools">
            <button type="button" aria-label=${`Edit ${id}`} onClick=${() => setOpen({ id, rule: kind.ruleOf(kept) })}>Edit</button>
            <button type="button" aria-label=${`Duplicate ${id}`} onClick=${() => setOpen({ rule: kind.ruleOf(kept) })}>Duplicate</button>
            <button type="button" class="danger" aria-label=${`Remove ${id}`} onClick=${() => change(async () => await kind.remove(session, id))}>Remove</button>
          </span>
        </li>`;
      })}
    </ul>
  <//>`;
}

interface RuleFormProps<
  Rule extends object,
  Kept extends { readonly id: string },
> extends RulePanelProps<Rule, Kept> {
  /** What it begins with. */
  readonly value?: object | undefined;
  /** Id of the rule that is edited; undefined for a new one. */
  readonly id?: string | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** Adds a rule, or edits one. */
export function RuleForm<Rule extends object, Kept extends { readonly id: string }>(
  props: RuleFormProps<Rule, Kept>,
): Html {
  const { session, kind, value, id, onSaved, onCancel } = props;
  const { noun } = kind;
  const save = async (rule: Rule): Promise<void> => {
    await (id === undefined ? kind.add(session, rule) : kind.edit(session, id, rule));
    session.tell(`The ${noun} is ${id === undefined ? 'added' : 'changed'}.`);
    onSaved();
  };
  return html`<${Form}
    title=${id === undefined ? `Add a ${noun}` : `Edit ${id}`}
    sandbox=${session.sandbox}
    fields=${kind.fields(session.mock)}
    value=${value}
    rest=${kind.rest}
    submit=${[id === undefined ? `Add the ${noun}` : 'Save']}
    onSubmit=${save}
    onCancel=${onCancel}
  />`;
}
