import { useEffect, useRef } from 'preact/hooks';
import type { Mock } from '../../mock/control/client.ts';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';
import { useKeys } from '../service/keys.ts';
import { addKey, withCookies } from '../service/request.ts';
import { useLoaded } from '../session/hooks.ts';
import { useSession } from '../session/session.ts';

/** The document in Swagger UI, styled like the page, with operations to try against this mock. */
export function Reference(): Html {
  const { events, mock, linkTo } = useSession();
  const { document: shown, links, questions } = mock;
  const keys = useKeys();
  const host = useRef<HTMLDivElement>(null);
  const prepare = useRef<(request: SwaggerRequest) => SwaggerRequest>((request) => request);
  prepare.current = (request) => prepareRequest(request, mock, keys?.key);
  const { value: ui, error } = useLoaded(async () => {
    const swaggerUi = await loadSwaggerUi();
    if (host.current === null) return undefined;
    nameControls(host.current);
    const requestInterceptor = (request: SwaggerRequest) => prepare.current(request);
    return swaggerUi({ ...options, domNode: host.current, requestInterceptor });
  }, []);
  useEffect(
    () =>
      events.subscribe(({ kind }) => kind === 'reload' && ui?.specActions.download(options.url)),
    [events, ui],
  );
  return html`<div class="reference-head">
      <h1>Reference</h1>
      <p>${shown.title} ${shown.version}${', '}<a href=${links.yaml}>YAML</a>${', '}<a href=${links.json}>JSON</a></p>
      ${keys?.picker}
    </div>
    ${
      questions.length > 0 &&
      html`<p class="soft">
        The document leaves ${countOf(questions.length, 'question')} open (<code>x-unspecified</code>).
        ${' '}<a href=${linkTo('sandboxes', 'questions')}>Questions</a>
        ${' '}shows what this mock does about each, and changes it.
      </p>`
    }
    <${ErrorLine} text=${error} />
    ${ui === undefined && error === undefined && html`<p class="soft" role="status">Loading …</p>`}
    <div ref=${host} class="swagger"></div>`;
}

/** The part of Swagger UI's API that is used. */
interface SwaggerUi {
  readonly specActions: { download(url: string): void };
}

/** A request that Swagger UI is about to send. */
interface SwaggerRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly userFetch?: (url: string, options: RequestInit) => Promise<Response>;
}

type SwaggerOptions = typeof options & {
  readonly domNode: HTMLElement;
  readonly requestInterceptor: (request: SwaggerRequest) => SwaggerRequest;
};

declare global {
  interface Window {
    SwaggerUIBundle?: (options: SwaggerOptions) => SwaggerUi;
  }
}

/**
 * Options: the served document, with this mock as its server. Swagger UI asks no other server and
 * stores nothing.
 */
const options = {
  url: '/openapi.json',
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  showCommonExtensions: true,
  defaultModelsExpandDepth: 0,
  layout: 'PageLayout',
  plugins: [layoutPlugin],
};

/** React and the components from which Swagger UI makes its layout. */
interface SwaggerSystem {
  readonly React: {
    readonly createElement: (
      type: unknown,
      props: object | null,
      ...children: unknown[]
    ) => unknown;
  };
}

interface LayoutProps {
  readonly getComponent: (name: string, isContainer?: boolean) => unknown;
  readonly specSelectors: { loadingStatus(): string };
}

/** Shows only the document: the page has its own landmarks and its own control for the key. */
function layoutPlugin({ React: { createElement } }: SwaggerSystem): object {
  const PageLayout = ({ getComponent, specSelectors }: LayoutProps): unknown => {
    const isLoaded = specSelectors.loadingStatus() === 'success';
    const parts = isLoaded ? ['InfoContainer', 'operations', 'Webhooks', 'Models'] : [];
    return createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets'), null),
      ...['errors', ...parts].map((name) => createElement(getComponent(name, true), null)),
    );
  };
  return { components: { PageLayout } };
}

/** Loads the library once per page. */
async function loadSwaggerUi(): Promise<(options: SwaggerOptions) => SwaggerUi> {
  if (window.SwaggerUIBundle === undefined) {
    const script = document.createElement('script');
    script.src = '/_mock/page/reference/swagger-ui.js';
    const { promise, resolve } = Promise.withResolvers();
    script.addEventListener('load', resolve);
    script.addEventListener('error', resolve);
    document.head.append(script);
    await promise;
  }
  if (window.SwaggerUIBundle === undefined) throw new Error('Swagger UI could not be loaded.');
  return window.SwaggerUIBundle;
}

/**
 * Adds the key of the operation to a request. Blocks requests to other servers, which Swagger UI
 * sends to identity providers, with an empty response. A key in a cookie is in the browser only
 * during the request.
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
  if (operation === undefined || key === undefined || key === '') return request;
  const plain = { method, url, headers: Object.entries(headers), body: undefined };
  const withKey = addKey(plain, operation.credentials, key);
  const cookies = withKey.headers.filter(([name]) => name === 'Cookie').map(([, value]) => value);
  const keyed = { ...request, url: withKey.url, headers: Object.fromEntries(withKey.headers) };
  if (cookies.length === 0) return keyed;
  return {
    ...keyed,
    userFetch: (to, options) =>
      withCookies(cookies, () => fetch(to, { ...options, credentials: 'same-origin' })),
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
 * Swagger UI leaves some controls without a name, and long bodies unreachable by keyboard. Fixes
 * both after each render.
 */
function nameControls(root: HTMLElement): void {
  const name = (): void => {
    for (const control of root.querySelectorAll(unnamed))
      control.setAttribute('aria-label', nameOf(control));
    for (const body of root.querySelectorAll('pre:not([tabindex])'))
      body.setAttribute('tabindex', '0');
    // Keeps the role of tables, and skips no heading level.
    for (const table of root.querySelectorAll('table[role="region"]'))
      table.removeAttribute('role');
    for (const heading of root.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
      heading.setAttribute('aria-level', `${Number(heading.tagName.slice(1)) - 1}`);
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
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
