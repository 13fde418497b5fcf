import type { ControlClient } from '../../mock/control/client.ts';
import type { EventConnection } from './events.ts';
import type { RequestLog } from './request-log.ts';
import type { Route, RouteQuery } from './route.ts';
import type { Theme } from './theme.ts';
import type { Mock } from './types.ts';

/** What every section works with. */
export interface Session {
  readonly mock: Mock;
  /** The control interface, with the token where one is needed. */
  readonly control: ControlClient;
  readonly events: EventConnection;
  /** The last requests to the service. */
  readonly log: RequestLog;
  /** Name of the sandbox that is chosen. */
  readonly sandbox: string;
  /** The page within the section; empty for its first. */
  readonly part: string;
  /** What else the fragment says, for the section: its filters, for example. */
  readonly query: RouteQuery;
  /** Headers that a `fetch` of the control interface needs beyond `control`. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Shows another section or sandbox, or the same with another query, for which the browser's way
   * back has no step.
   */
  readonly go: (route: Partial<Route>) => void;
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
  /** Says something in a line at the edge of the page, with an Undo button where there is an `undo`. */
  readonly tell: (message: string, tone?: 'good' | 'bad', undo?: () => Promise<unknown>) => void;
  /** Does something and tells `done`, or why it failed; resolves with whether it was done. */
  readonly act: (
    task: () => Promise<unknown>,
    done?: string,
    undo?: () => Promise<unknown>,
  ) => Promise<boolean>;
}

/** The props of a section. */
export interface SectionProps {
  readonly session: Session;
}
