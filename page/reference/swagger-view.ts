import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import { addKey, withCookies } from '../service/request.ts';
import { describeError } from '../session/describe-error.ts';
import type { Session } from '../session/session.ts';
import type { Mock } from '../session/types.ts';

export interface SwaggerViewProps {
  readonly session: Session;
  /** The key that requests are sent with; undefined for none. */
  readonly apiKey: string | undefined;
}

/** The document in Swagger UI, in a shadow tree: the style of the page does not apply in it, nor its in the page. */
export function SwaggerView({ session, apiKey }: SwaggerViewProps): Html {
  const { events, mock } = session;
  const host = useRef<HTMLDivElement>(null);
  const [ui, setUi] = useState<SwaggerUi>();
  const [error, setError] = useState<string>();
  const prepare = useRef<(request: SwaggerRequest) => SwaggerRequest>((request) => request);
  prepare.current = (request) => prepareRequest(request, mock, apiKey);
  useEffect(() => {
    const root = host.current;
    if (root === null) return undefined;
    let stop: (() => void) | undefined;
    open(root, (request) => prepare.current(request)).then(
      ({ ui: opened, shadow }) => {
        stop = nameControls(shadow);
        setUi(() => opened);
      },
      (reason: unknown) => setError(describeError(reason)),
    );
    return () => stop?.();
  }, []);
  useEffect(
    () =>
      events.subscribe(({ kind }) => kind === 'reload' && ui?.specActions.download(documentUrl)),
    [events, ui],
  );
  return html`<p class="error" role="alert">${error}</p>
    ${ui === undefined && error === undefined && html`<p class="soft" role="status">Loading …</p>`}
    <div ref=${host} class="swagger"></div>`;
}

/** The document as it is served, with this mock as its server. */
const documentUrl = '/openapi.json';

interface Opened {
  readonly ui: SwaggerUi;
  readonly shadow: ShadowRoot;
}

async function open(
  host: HTMLElement,
  requestInterceptor: (request: SwaggerRequest) => SwaggerRequest,
): Promise<Opened> {
  const [swaggerUi, ...styles] = await Promise.all([
    loadSwaggerUi(),
    loadText(`${folder}reference/swagger-ui.css`).then(inOurColours),
    loadText(`${folder}reference.css`),
  ]);
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = styles.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  const domNode = document.createElement('div');
  root.replaceChildren(domNode);
  // Nothing leaves the mock: no validator, no proxy, nothing kept; the policy of the page holds too.
  const ui = swaggerUi({
    url: documentUrl,
    domNode,
    validatorUrl: null,
    requestInterceptor,
    persistAuthorization: false,
    deepLinking: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    showCommonExtensions: true,
    defaultModelsExpandDepth: 0,
    layout: 'PageLayout',
    plugins: [layoutPlugin],
  });
  return { ui, shadow: root };
}

/** Of Swagger UI what is used here. */
interface SwaggerUi {
  readonly specActions: { download(url: string): void };
}

/** A request that Swagger UI is about to send, and how. */
interface SwaggerRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly userFetch?: (url: string, options: RequestInit) => Promise<Response>;
}

type SwaggerOptions = Readonly<Record<string, unknown>>;

declare global {
  interface Window {
    SwaggerUIBundle?: (options: SwaggerOptions) => SwaggerUi;
  }
}

type Component = (props: LayoutProps) => unknown;

interface LayoutProps {
  readonly getComponent: (name: string, isContainer?: boolean) => Component;
  readonly specSelectors: { loadingStatus(): string };
}

interface SwaggerSystem {
  readonly React: {
    readonly createElement: (
      type: Component | string,
      props: object | null,
      ...children: unknown[]
    ) => unknown;
  };
}

/** The document alone: the page has its own landmark, and its own control for the key. */
function layoutPlugin({ React: { createElement } }: SwaggerSystem): object {
  const PageLayout: Component = ({ getComponent, specSelectors }) => {
    const part = (name: string): unknown => createElement(getComponent(name, true), null);
    const isLoaded = specSelectors.loadingStatus() === 'success';
    const parts = ['InfoContainer', 'operations', 'Webhooks', 'Models'].map(part);
    return createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets'), null),
      part('errors'),
      ...(isLoaded ? parts : []),
    );
  };
  return { components: { PageLayout } };
}

const folder = '/_mock/page/';

/** Loads the library, once for the page. */
async function loadSwaggerUi(): Promise<(options: SwaggerOptions) => SwaggerUi> {
  if (window.SwaggerUIBundle === undefined) await loadScript(`${folder}reference/swagger-ui.js`);
  if (window.SwaggerUIBundle === undefined) throw new Error('Swagger UI could not be loaded.');
  return window.SwaggerUIBundle;
}

async function loadText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} could not be loaded.`);
  return await response.text();
}

/** Colours and fonts of Swagger UI, and those of the page that take their place, light and dark. */
const replacements: readonly (readonly [pattern: RegExp, own: string])[] = [
  [/#3b4151\b|#000\b|#333\b|#080a0b\b/g, 'var(--ink)'],
  [/#fff\b(?!;border-radius:50%)/g, 'var(--card)'],
  [/#(?:6b6b6b|555|777|888|999|aaa|545d61)\b/g, 'var(--soft)'],
  [/#(?:ebebeb|ccc|eee|d8dde7|e8e8e8|d9d9d9)\b|rgba\((?:0,0,0|59,65,81),0?\.\d+\)/g, 'var(--line)'],
  [/#(?:f0f1f1|f4f4f4|fafafa|f7f7f7|f5f5f5)\b/g, 'var(--code)'],
  [/#(?:61affe|4990e2|0d5aa7|357edd|9012fe)\b/g, 'var(--link)'],
  [/#(?:49cc90|50e3c2|00a651|19a974)\b/g, 'var(--good)'],
  [/#(?:fca130|ff6300|ffb700)\b/g, 'var(--doubt)'],
  [/#(?:f93e3e|ff4136|e7040f|900)\b/g, 'var(--bad)'],
  [
    /rgba\((?:97,175,254|73,204,144|252,161,48|249,62,62|80,227,194|144,18,254|13,90,167|235,235,235),\.\d+\)/g,
    'var(--card)',
  ],
  [/font-family:monospace[^;}]*/g, 'font-family:var(--mono)'],
  [/font-family:sans-serif/g, 'font-family:var(--sans)'],
];

/** Its style with the colours of the page. The class of its own dark theme is never set. */
function inOurColours(style: string): string {
  return replacements.reduce((text, [pattern, own]) => text.replaceAll(pattern, own), style);
}

function loadScript(src: string): Promise<void> {
  const script = document.createElement('script');
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${src} could not be loaded.`)));
    script.src = src;
    document.head.append(script);
  });
}

/**
 * A request with the key of its operation. Nothing leaves this mock: Swagger UI asks identity providers
 * unasked, and gets an empty response. A key in a cookie is in the browser while the request is sent.
 */
function prepareRequest(
  request: SwaggerRequest,
  { url: base, operations }: Mock,
  key: string | undefined,
): SwaggerRequest {
  const { url, method = 'GET', headers = {} } = request;
  if (new URL(url, location.href).origin !== location.origin)
    return { ...request, userFetch: () => Promise.resolve(Response.json({})) };
  const path = url.startsWith(base) ? (url.slice(base.length).split('?')[0] ?? '') : '';
  const same = operations.filter((one) => one.method === method.toUpperCase());
  const operation =
    same.find((one) => one.path === path) ?? same.find((one) => fitsTemplate(path, one.path));
  if (operation === undefined || key === undefined) return request;
  const plain = { method, url, headers: Object.entries(headers), body: undefined };
  const withKey = addKey(plain, operation.credentials, key);
  const cookies = withKey.headers.filter(([name]) => name === 'Cookie').map(([, value]) => value);
  const keyed = { ...request, url: withKey.url, headers: Object.fromEntries(withKey.headers) };
  if (cookies.length === 0) return keyed;
  return {
    ...keyed,
    userFetch: async (to, options) =>
      await withCookies(cookies, () => fetch(to, { ...options, credentials: 'same-origin' })),
  };
}

function fitsTemplate(path: string, template: string): boolean {
  const [segments, templates] = [path.split('/'), template.split('/')];
  return (
    segments.length === templates.length &&
    templates.every((one, index) => one.includes('{') || one === segments[index])
  );
}

/**
 * Swagger UI leaves some controls without a name, and long bodies out of reach of the keyboard:
 * adds both whenever something new is drawn, until the function that it returns is called.
 */
function nameControls(root: ShadowRoot): () => void {
  const name = (): void => {
    for (const control of root.querySelectorAll(unnamed))
      control.setAttribute('aria-label', nameOf(control));
    for (const body of root.querySelectorAll('pre:not([tabindex])'))
      body.setAttribute('tabindex', '0');
    // A table stays one, and no level of headings is left out.
    for (const table of root.querySelectorAll('table[role="region"]'))
      table.removeAttribute('role');
    for (const heading of root.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
      heading.setAttribute('aria-level', `${Number(heading.tagName.slice(1)) - 1}`);
  };
  const observer = new MutationObserver(name);
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}

const unnamed = ':is(select, textarea, input):not([aria-label], [aria-labelledby])';

function nameOf(control: Element): string {
  const parameter = control.closest('[data-param-name]')?.getAttribute('data-param-name');
  if (control.id === 'servers') return 'Server';
  if (control.matches('.examples-select-element'))
    return parameter === null || parameter === undefined ? 'Example' : `Example of ${parameter}`;
  if (control.matches('.body-param__text')) return 'Request body';
  return parameter ?? control.getAttribute('placeholder') ?? 'Value';
}
