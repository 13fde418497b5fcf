import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Mock, ControlError, createControlClient } from '../mock/control/client.ts';
import { html, type Html } from './view/element.ts';
import { keepNumber } from './form/exact-json.ts';
import type { Field } from './form/field.ts';
import { Form } from './form/form.ts';
import { Header, sections } from './frame/header.ts';
import { useCopyButtons, useMessage } from './frame/message.ts';
import { EventConnection } from './session/events.ts';
import { type Route, parseRoute, renderRoute } from './session/route.ts';
import { RequestLog } from './session/request-log.ts';
import { type Session, SessionProvider, inSandbox } from './session/session.ts';
import { useLoaded } from './session/hooks.ts';

/** The page: connects, asks for a token if one is needed, and shows a section. */
function App(): Html {
  const [token, setToken] = useState<string>();
  const [needsToken, setNeedsToken] = useState(false);
  const [connection, setConnection] = useState<Pick<Session, 'events' | 'log'>>();
  const [isOpen, setIsOpen] = useState(false);
  const [isLost, setIsLost] = useState(false);
  const route = useRoute();
  const instance = useRef<string | undefined>(undefined);
  const { message, notify, act } = useMessage(`${route.section}/${route.part}`, isLost);
  useCopyButtons(notify);

  const control = useMemo(
    () => createControlClient(location.origin, { parse, ...(token !== undefined && { token }) }),
    [token],
  );
  useEffect(() => {
    const events = new EventConnection(control, `events ${token ?? ''}`, setIsOpen);
    setConnection({ events, log: new RequestLog(control, events) });
    return () => events.close();
  }, [control]);
  // A restarted mock is another instance: reload everything.
  const {
    value: mock,
    error,
    reload,
  } = useLoaded(async (): Promise<Mock> => {
    const described = await control.call('describeMock', {}).catch((reason: unknown) => {
      setNeedsToken(reason instanceof ControlError && reason.status === 401);
      throw reason;
    });
    if (typeof described === 'string') throw new Error('The mock did not describe itself.');
    if (instance.current !== undefined && instance.current !== described.instance)
      notify('The mock was restarted: items, choices, runs and requests are new.');
    instance.current = described.instance;
    return described;
  }, [control, isOpen]);
  useEffect(
    () => connection?.events.subscribe(({ kind }) => kind === 'reload' && reload()),
    [connection, reload],
  );
  useEffect(() => {
    const timer = setTimeout(() => setIsLost(!isOpen), isOpen ? 0 : 700);
    return () => clearTimeout(timer);
  }, [isOpen]);
  useEffect(() => {
    document.title = mock === undefined ? 'Mock' : `${mock.document.title} · mock`;
  }, [mock]);

  useTop(`${route.section}/${route.part}`, mock !== undefined);

  if (mock === undefined || connection === undefined)
    return html`<main class="alone">
      ${
        needsToken
          ? html`<h1>This mock requires its token</h1>
              <p>${error}</p>
              <${Form}
                title="Open the page"
                layout="row"
                fields=${[tokenField]}
                submit=${['Open']}
                onSubmit=${async (body: { readonly token: string }) => setToken(body.token)}
              />`
          : html`<p role="status">${error ?? 'Loading …'}</p>`
      }
    </main>`;
  const session = inSandbox(
    {
      ...connection,
      control,
      mock,
      token,
      part: route.part,
      query: route.query,
      go: (to) => showRoute(route, to),
      notify,
      act,
    },
    route.sandbox,
  );
  const section = sections.find(({ id }) => id === route.section) ?? sections[0];
  return html`<${SessionProvider} value=${session}>
    <a class="skip" href="#content" onClick=${focusContent}>Skip to content</a>
    <${Header} section=${section?.id} />
    <div class="stage">
      <main id="content" tabindex="-1" key=${`${mock.instance} ${section?.id}`}>
        ${section !== undefined && html`<${section.component} />`}
      </main>
    </div>
    ${message}
  <//>`;
}

/** Kept only in the memory of the page. */
const tokenField: Field = {
  name: '/token',
  label: 'Token',
  kind: 'secret',
  isRequired: true,
  hint: 'The value of --control-token when the mock was started.',
};

const parse = (json: string) => JSON.parse(json, keepNumber);

/**
 * Another section starts without a query. A change of the query alone adds no entry to the
 * browser's history.
 */
function showRoute(route: Route, to: Partial<Route>): void {
  const { section = route.section, part = section === route.section ? route.part : '' } = to;
  const isSame = section === route.section && part === route.part;
  const next = { ...route, ...(isSame ? {} : { query: {} }), ...to, section, part };
  const fragment = renderRoute(next);
  if (isSame && next.sandbox === route.sandbox) location.replace(fragment);
  else location.hash = fragment;
}

/** The URL fragment names the section, so links within the page must move the focus explicitly. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

/**
 * Each section starts scrolled to the top, is announced by screen readers, and can be scrolled by
 * keyboard.
 */
function useTop(section: string, isShown: boolean): void {
  useEffect(() => {
    const main = document.querySelector<HTMLElement>('#content');
    if (!isShown || main === null) return;
    main.scrollTop = 0;
    if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
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

const root = document.querySelector('#page');
if (root !== null) render(html`<${App} />`, root);
