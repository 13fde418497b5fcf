import { useState } from 'preact/hooks';
import type { Mock } from '../../mock/control/client.ts';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import { Facts } from '../view/facts.ts';
import { listFacts } from '../form/draft.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useLive } from '../session/hooks.ts';
import { type Session, useSession } from '../session/session.ts';
import { renderCell } from './members.ts';
import { Panel, focusPanel } from './panel.ts';

/** A stored rule, with what the mock adds to it. */
interface Used {
  readonly id: string;
  /** Number of requests that it was applied to. */
  readonly applied: number;
}

interface Limited {
  readonly count?: number | undefined;
  readonly times?: number | undefined;
}

/** The kinds of rules, faults or stubs: their names, forms and calls to the mock. */
export interface RuleKind<Rule extends Limited, Kept extends Used> {
  readonly noun: 'fault' | 'stub';
  readonly title: string;
  /** Shown if there are none. */
  readonly none: string;
  readonly fields: (mock: Pick<Mock, 'operations'>) => readonly Field[];
  readonly rest?: string;
  /** The rule of a stored one, without what the mock added. */
  readonly ruleOf: (kept: Kept) => Rule;
  /** The member with the most requests that it applies to; undefined for all. */
  readonly uses: keyof Limited;
  /** Notes on a rule besides its members. */
  readonly notes?: (kept: Kept) => readonly string[];
  readonly list: (session: Session) => Promise<readonly Kept[]>;
  readonly add: (session: Session, rule: Rule) => Promise<unknown>;
  readonly edit: (session: Session, id: string, rule: Rule) => Promise<unknown>;
  readonly remove: (session: Session, id: string) => Promise<unknown>;
  readonly clear: (session: Session) => Promise<unknown>;
}

interface RulePanelProps<Rule extends Limited, Kept extends Used> {
  readonly kind: RuleKind<Rule, Kept>;
}

/** The rules of a sandbox with their number of uses. Each can be edited, duplicated and removed. */
export function RulePanel<Rule extends Limited, Kept extends Used>({
  kind,
}: RulePanelProps<Rule, Kept>): Html {
  const session = useSession();
  const { act } = session;
  const { noun } = kind;
  const fields = kind.fields(session.mock);
  const part = `${noun}s` as const;
  const { value, error } = useLive([part, 'requests'], () => kind.list(session));
  // The rule in the form. With `id` it is edited, else it is new.
  const [open, setOpen] = useState<{ readonly id?: string; readonly rule?: object }>();
  const isNew = open !== undefined && open.id === undefined;
  const change = (task: () => Promise<unknown>, done?: string): void =>
    void act(task, done).then(() => focusPanel(part));
  const close = (): void => {
    setOpen(undefined);
    focusPanel(part);
  };
  const form =
    open !== undefined &&
    html`<${RuleForm} key=${open.id ?? open.rule} kind=${kind} value=${open.rule} id=${open.id} onSaved=${close} onCancel=${close} />`;
  const tools = html`<span class="tools">
    <button type="button" class="main" aria-disabled=${isNew ? 'true' : undefined} onClick=${() => isNew || setOpen({})}>${`Add a ${noun}`}</button>
    ${
      value !== undefined &&
      value.length > 1 &&
      html`<button type="button" class="danger" aria-label=${`Remove all ${part}`} onClick=${() => confirm(`Remove all ${part}?`) && change(() => kind.clear(session))}>Remove all</button>`
    }
  </span>`;
  return html`<${Panel} id=${part} title=${kind.title} tools=${tools} error=${error}>
    ${open?.id === undefined && form}
    ${value?.length === 0 && open === undefined && html`<p class="soft">${kind.none}</p>`}
    <ul class="rules">
      ${value?.map((kept) => {
        const { id, applied } = kept;
        if (open?.id === id) return html`<li key=${id}>${form}</li>`;
        const rule = kind.ruleOf(kept);
        const most = rule[kind.uses];
        const others = { ...rule, [kind.uses]: undefined };
        const facts = listFacts(others, fields).map(([label, text]) => [label, renderCell(text)]);
        const useAgain = (): void =>
          change(
            () => kind.edit(session, id, { ...rule, [kind.uses]: applied + 1 }),
            `${id} is used for one more request.`,
          );
        return html`<li key=${id}>
          <div>
            <${Facts} facts=${[...facts, ['Used', describeUse(applied, most)]]} />
            ${kind.notes?.(kept).map((note) => html`<p key=${note} class="error">${note}</p>`)}
          </div>
          <span class="tools">
            ${applied >= (most ?? Infinity) && html`<button type="button" aria-label=${`Use ${id} again`} onClick=${useAgain}>Use again</button>`}
            <button type="button" aria-label=${`Edit ${id}`} onClick=${() => setOpen({ id, rule })}>Edit</button>
            <button type="button" aria-label=${`Duplicate ${id}`} onClick=${() => setOpen({ rule })}>Duplicate</button>
            <button type="button" class="danger" aria-label=${`Remove ${id}`} onClick=${() => change(() => kind.remove(session, id))}>Remove</button>
          </span>
        </li>`;
      })}
    </ul>
  <//>`;
}

export function describeUse(applied: number, most: number | undefined): string {
  if (most === undefined) return applied === 0 ? 'not yet' : countOf(applied, 'time');
  return applied >= most ? `used up (${applied} of ${most})` : `${applied} of ${most}`;
}

interface RuleFormProps<Rule extends Limited, Kept extends Used> extends RulePanelProps<
  Rule,
  Kept
> {
  readonly value?: object | undefined;
  /** Id of the edited rule; undefined for a new one. */
  readonly id?: string | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

export function RuleForm<Rule extends Limited, Kept extends Used>(
  props: RuleFormProps<Rule, Kept>,
): Html {
  const { kind, value, id, onSaved, onCancel } = props;
  const session = useSession();
  const { noun } = kind;
  const save = async (rule: Rule): Promise<void> => {
    await (id === undefined ? kind.add(session, rule) : kind.edit(session, id, rule));
    session.notify(`The ${noun} is ${id === undefined ? 'added' : 'changed'}.`);
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
