import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  ControlArguments,
  ControlClient,
  ControlResponse,
  Mock,
} from '../../mock/control/client.ts';
import type { EventConnection } from './events.ts';
import type { RequestLog } from './request-log.ts';
import { type Route, type RouteQuery, renderRoute } from './route.ts';

/** The environment of every section. */
export interface Session {
  readonly mock: Mock;
  /** The control interface, with the token if one is needed. */
  readonly control: ControlClient;
  /** Calls an operation of the control interface on the selected sandbox. */
  readonly call: SandboxCall;
  readonly events: EventConnection;
  /** The last requests to the service. */
  readonly log: RequestLog;
  /** Name of the selected sandbox. */
  readonly sandbox: string;
  /** The page within the section; empty for its first. */
  readonly part: string;
  /** The rest of the fragment, for the section: its filters, for example. */
  readonly query: RouteQuery;
  /** Undefined if the control interface needs none. */
  readonly token: string | undefined;
  /**
   * Shows another section or sandbox, or the same with another query, which adds no entry to the browser's
   * history.
   */
  readonly go: (route: Partial<Route>) => void;
  /** The URL of a section, and of a page within it, for the selected sandbox. */
  readonly linkTo: (section: string, part?: string) => string;
  /** Shows a message at the edge of the page, with an Undo button if there is an `undo`. */
  readonly notify: (message: string, tone?: 'good' | 'bad', undo?: () => Promise<unknown>) => void;
  /** Does something and shows `done`, or why it failed. Resolves with whether it succeeded. */
  readonly act: (
    task: () => Promise<unknown>,
    done?: string,
    undo?: () => Promise<unknown>,
  ) => Promise<boolean>;
}

const context = createContext<Session | undefined>(undefined);

export const SessionProvider = context.Provider;

export function useSession(): Session {
  const session = useContext(context);
  if (session === undefined) throw new Error('There is no session around this component.');
  return session;
}

type CallId = Parameters<ControlClient['call']>[0];
/** Operations on one sandbox. */
type SandboxCallId = {
  readonly [Id in CallId]: ControlArguments<Id> extends { readonly sandbox: string } ? Id : never;
}[CallId];
type Others<Id extends SandboxCallId> = Omit<ControlArguments<Id>, 'sandbox'>;
type SandboxCall = <Id extends SandboxCallId>(
  id: Id,
  ...others: object extends Others<Id> ? [others?: Others<Id>] : [others: Others<Id>]
) => Promise<ControlResponse<Id>>;

/** The same session with another sandbox selected. */
export function inSandbox(
  session: Omit<Session, 'sandbox' | 'call' | 'linkTo'>,
  sandbox: string,
): Session {
  const linkTo = (section: string, part?: string): string =>
    renderRoute({ section, part, sandbox });
  return { ...session, sandbox, call: callIn(session.control, sandbox), linkTo };
}

function callIn(control: ControlClient, sandbox: string): SandboxCall;
function callIn(control: ControlClient, sandbox: string) {
  return (id: 'getSandbox', others = {}) => control.call(id, { ...others, sandbox });
}

/**
 * Reads a text from the mock without parsing it, as the control client would. Rejects with the reason of a
 * refusal.
 */
export async function fetchText(
  { token }: Pick<Session, 'token'>,
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const headers = new Headers();
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (init.body) headers.set('content-type', 'application/json');
  const response = await fetch(path, { ...init, headers });
  const text = await response.text();
  if (response.ok) return text;
  const [, message = `"The mock responded with ${response.status}."`] =
    /"message":\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  throw new Error(JSON.parse(message));
}

/** The document that the mock serves, as JSON. */
export async function fetchDocument(session: Session): Promise<unknown> {
  return JSON.parse(await fetchText(session, new URL(session.mock.links.json).pathname));
}

/** Downloads a text as a file. As bytes, so that it never runs with the rights of this page. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
