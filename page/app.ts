import { useEffect, useRef, useState } from 'preact/hooks';
import { type ControlClient, ControlError, createControlClient } from '../mock/control/client.ts';
import { html, type Html } from '../view/element.ts';
import { ConnectionNote } from './frame/connection-note.ts';
import { useCopyButtons } from './frame/copy-buttons.ts';
import { Header } from './frame/header.ts';
import { useMessage } from './frame/message.ts';
import { sections } from './frame/sections.ts';
import { TokenForm } from './frame/token-form.ts';
import { EventConnection } from './session/events.ts';
import { type Route, parseRoute, renderRoute } from './session/route.ts';
import { RequestLog } from './session/request-log.ts';
import type { Session } from './session/session.ts';
import type { Mock } from './session/types.ts';
import { describeError } from './session/use-loaded.ts';

/** The page: it connects, asks for a token where one is needed, and shows a section. */
export function App(): Html {
  const [token, setToken] = useState<string>();
  const [mock, setMock] = useState<Mock>();
  const [problem, setProblem] = useState<Problem>();
  const [events, setEvents] = useState<EventConnection>();
  const [log, setLog] = useState<RequestLog>();
  const [isOpen, setIsOpen] = useState(false);
  const [isLost, setIsLost] = useState(false);
  const [reloads, setReloads] = useState(0);
  const route = useRoute();
  const instance = useRef<string | undefined>(undefined);
  const { message, tell } = useMessage();
  useCopyButtons(tell);

  // A mock that was restarted is described anew, and everything is loaded again: another instance.
  useEffect(() => {
    const connection = new EventConnection(controlWith(token), `events ${token ?? ''}`, setIsOpen);
    setEvents(connection);
    setLog(new RequestLog(controlWith(token), connection));
    return () => connection.close();
  }, [token]);
  useEffect(() => {
    let isCurrent = true;
    controlWith(token)
      .call('describeMock', {})
      .then(
        (described) => {
          if (!isCurrent || typeof described === 'string') return;
          setMock(described);
          if (instance.current !== undefined && instance.current !== described.instance)
            tell('The mock was started again: items, choices, runs and log are new.');
          instance.current = described.instance;
          setProblem(undefined);
        },
        (error: unknown) => isCurrent && setProblem(problemOf(error)),
      );
    return () => {
      isCurrent = false;
    };
  }, [token, isOpen, reloads]);
  useEffect(() => {
    if (events === undefined) return undefined;
    return events.on('reload', () => setReloads((count) => count + 1));
  }, [events]);
  useEffect(() => {
    if (isOpen) {
      setIsLost(false);
      return undefined;
    }
    const timer = setTimeout(() => setIsLost(true), 700);
    return () => clearTimeout(timer);
  }, [isOpen]);
  useEffect(() => {
    document.title = mock === undefined ? 'Mock' : `${mock.document.title} · mock`;
  }, [mock]);

  useTop(route.section, mock !== undefined);

  if (mock === undefined || events === undefined || log === undefined) {
    if (problem?.kind === 'token')
      return html`<${TokenForm} message=${problem.message} onToken=${setToken} />`;
    return html`<main class="alone"><p role="status">${problem?.message ?? 'Loading …'}</p></main>`;
  }
  const session: Session = {
    mock,
    events,
    sandbox: route.sandbox,
    control: controlWith(token),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    query: route.query,
    log,
    go: (to) => showRoute(route, to),
    tell,
  };
  const section = sections.find(({ id }) => id === route.section) ?? sections[0];
  return html`<a class="skip" href="#content" onClick=${focusContent}>To the content</a>
    <${Header} session=${session} section=${section?.id} />
    <main id="content" tabindex="-1" key=${`${mock.instance} ${section?.id}`}>
      <${ConnectionNote} isLost=${isLost} />
      ${section !== undefined && html`<${section.component} session=${session} />`}
    </main>
    ${message}`;
}

function controlWith(token: string | undefined): ControlClient {
  return createControlClient(location.origin, token === undefined ? {} : { token });
}

/** A section begins without a query; another query alone is no step of the browser's history. */
function showRoute(route: Route, to: Partial<Route>): void {
  const isSame = (to.section ?? route.section) === route.section;
  const next = { ...route, ...(isSame ? {} : { query: {} }), ...to };
  const fragment = renderRoute(next);
  if (isSame && next.sandbox === route.sandbox) location.replace(fragment);
  else location.hash = fragment;
}

type Problem = { readonly kind: 'token' | 'other'; readonly message: string };

function problemOf(error: unknown): Problem {
  const needsToken = error instanceof ControlError && error.status === 401;
  return { kind: needsToken ? 'token' : 'other', message: describeError(error) };
}

/** The fragment names the section, so a link within the page moves the focus by hand. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

/** Another section begins at its top, and is read out from there. */
function useTop(section: string, isShown: boolean): void {
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!isShown) return;
    const isOther = shown.current !== undefined && shown.current !== section;
    shown.current = section;
    if (!isOther) return;
    scrollTo(0, 0);
    const main = document.querySelector<HTMLElement>('#content');
    if (main?.contains(document.activeElement) === false) main.focus({ preventScroll: true });
  }, [section, isShown]);
}

function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setFragment(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(fragment);
}
