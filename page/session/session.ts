import type { ControlClient } from '../../mock/control/client.ts';
import type { Events } from './events.ts';
import type { Mock } from './types.ts';

/** What every section works with. */
export interface Session {
  readonly mock: Mock;
  /** The control interface, with the token where one is needed. */
  readonly control: ControlClient;
  readonly events: Events;
  /** Name of the sandbox that is chosen. */
  readonly sandbox: string;
  /** Headers that a `fetch` of the control interface needs beyond `control`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Shows another section or sandbox. */
  readonly go: (route: { readonly section?: string; readonly sandbox?: string }) => void;
  /** Tells something in a line at the edge of the page, for a while. */
  readonly tell: (message: string, tone?: 'good' | 'bad') => void;
}

/** What a section takes. */
export interface SectionProps {
  readonly session: Session;
}
