import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useAction, useLive } from '../session/hooks.ts';
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
  readonly check?: (rule: Rule) => Readonly<Record<string, string>>;
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

type Open<Kept> = { readonly kind: 'add' | 'copy' | 'edit'; readonly kept?: Kept };

interface RulePanelProps<Rule extends object, Kept extends { readonly id: string }> {
  readonly session: Session;
  readonly kind: RuleKind<Rule, Kept>;
}

/** The rules of a sandbox with their uses; each is edited, duplicated and removed. */
export function RulePanel<Rule extends object, Kept extends { readonly id: string }>({
  session,
  kind,
}: RulePanelProps<Rule, Kept>): Html {
  const { sandbox } = session;
  const { part, noun, title } = kind;
  const { value, error, reload } = useLive(
    session,
    [part, 'requests'],
    async () => await kind.list(session),
  );
  const action = useAction();
  const [open, setOpen] = useState<Open<Kept>>();
  const change = (task: () => Promise<unknown>): void =>
    void action.run(task).then(() => {
      focusPanel(part);
      reload();
    });
  const close = (): void => {
    setOpen(undefined);
    focusPanel(part);
  };
  const saved = (): void => {
    close();
    reload();
  };
  const tools = html`<span class="tools">
    <button type="button" class="main" onClick=${() => setOpen({ kind: 'add' })}>${`Add a ${noun}`}</button>
    ${
      value !== undefined &&
      value.length > 1 &&
      html`<${AskButton} label="Remove all" name=${`Remove all ${part}`} question=${`Remove all ${part}?`} yes="Remove" onYes=${() => change(async () => await kind.clear(session))} />`
    }
  </span>`;
  const form = (): Html => html`<${RuleForm}
    key=${`${open?.kind} ${open?.kept?.id}`}
    session=${session}
    kind=${kind}
    value=${open?.kept && kind.ruleOf(open.kept)}
    replaces=${open?.kind === 'edit' ? open.kept?.id : undefined}
    onSaved=${saved}
    onCancel=${close}
  />`;
  return html`<${Panel} id=${part} title=${title} sandbox=${sandbox} tools=${tools} error=${action.error ?? error}>
    ${open !== undefined && open.kind !== 'edit' && form()}
    ${value?.length === 0 && open === undefined && html`<p class="soft">${kind.none}</p>`}
    <ul class="rules">
      ${value?.map((kept) =>
        open?.kind === 'edit' && open.kept?.id === kept.id
          ? html`<li key=${kept.id}>${form()}</li>`
          : html`<li key=${kept.id}>
              <span>${kind.describe(kept)} <span class="soft">${kind.describeUse(kept)}</span></span>
              <span class="tools">
                <button type="button" aria-label=${`Edit ${kept.id}`} onClick=${() => setOpen({ kind: 'edit', kept })}>Edit</button>
                <button type="button" aria-label=${`Duplicate ${kept.id}`} onClick=${() => setOpen({ kind: 'copy', kept })}>Duplicate</button>
                <button type="button" class="danger" aria-label=${`Remove ${kept.id}`} onClick=${() => change(async () => await kind.remove(session, kept.id))}>Remove</button>
              </span>
            </li>`,
      )}
    </ul>
  <//>`;
}

export interface RuleFormProps<
  Rule extends object,
  Kept extends { readonly id: string },
> extends RulePanelProps<Rule, Kept> {
  /** What it begins with. */
  readonly value?: object | undefined;
  /** Id of the rule that is edited; undefined for a new one. */
  readonly replaces?: string | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** Adds a rule, or edits one. */
export function RuleForm<Rule extends object, Kept extends { readonly id: string }>(
  props: RuleFormProps<Rule, Kept>,
): Html {
  const { session, kind, value, replaces, onSaved, onCancel } = props;
  const { noun } = kind;
  const save = async (rule: Rule): Promise<void> => {
    await (replaces === undefined ? kind.add(session, rule) : kind.edit(session, replaces, rule));
    session.tell(`The ${noun} is ${replaces === undefined ? 'added' : 'changed'}.`);
    onSaved();
  };
  return html`<${Form}
    title=${replaces === undefined ? `Add a ${noun}` : `Edit ${replaces}`}
    sandbox=${session.sandbox}
    fields=${kind.fields(session.mock)}
    value=${value}
    rest=${kind.rest}
    submit=${[replaces === undefined ? `Add the ${noun}` : 'Save']}
    check=${kind.check}
    onSubmit=${save}
    onCancel=${onCancel}
  />`;
}
