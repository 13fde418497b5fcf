import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import { describeError } from '../session/use-loaded.ts';
import { referenceStyle } from '../style/reference.ts';
import { nameControls } from './accessible-names.ts';
import {
  type SwaggerRequest,
  type SwaggerUi,
  authorize,
  loadSwaggerStyle,
  loadSwaggerUi,
  withoutProviders,
} from './swagger-ui.ts';
import { useDarkness } from './use-darkness.ts';

export interface SwaggerViewProps {
  readonly session: Session;
  /** The key that requests are sent with; undefined for none. */
  readonly apiKey: string | undefined;
}

/** The document in Swagger UI, in a tree of its own so that neither style meets the other. */
export function SwaggerView({ session, apiKey }: SwaggerViewProps): Html {
  const { events } = session;
  const host = useRef<HTMLDivElement>(null);
  const [ui, setUi] = useState<SwaggerUi>();
  const [loads, setLoads] = useState(0);
  const [error, setError] = useState<string>();
  const isDark = useDarkness();
  useEffect(() => {
    const root = host.current;
    if (root === null) return undefined;
    let stop: (() => void) | undefined;
    open(root, () => setLoads((count) => count + 1)).then(
      ({ ui: opened, shadow }) => {
        stop = nameControls(shadow);
        setUi(() => opened);
      },
      (reason: unknown) => setError(describeError(reason)),
    );
    return () => stop?.();
  }, []);
  useEffect(() => {
    if (ui !== undefined && loads > 0) authorize(ui, apiKey);
  }, [ui, loads, apiKey]);
  useEffect(() => events.on('reload', () => ui?.specActions.download(documentUrl)), [events, ui]);
  return html`<p class="error" role="alert">${error}</p>
    ${ui === undefined && error === undefined && html`<p class="soft" role="status">Loading …</p>`}
    <div ref=${host} class=${`swagger${isDark ? ' dark-mode' : ''}`}></div>`;
}

/** The document as it is served, with this mock as its server. */
const documentUrl = '/openapi.json';

interface Opened {
  readonly ui: SwaggerUi;
  readonly shadow: ShadowRoot;
}

async function open(host: HTMLElement, onComplete: () => void): Promise<Opened> {
  const [swaggerUi, style] = await Promise.all([loadSwaggerUi(), loadSwaggerStyle()]);
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [style, referenceStyle].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  const domNode = document.createElement('div');
  root.replaceChildren(domNode);
  // Nothing leaves the mock: no validator, no proxy, nothing kept; the policy of the page holds too.
  // It asks for the document before it is there.
  let opened: SwaggerUi | undefined;
  const ui = swaggerUi({
    url: documentUrl,
    domNode,
    onComplete,
    validatorUrl: null,
    requestInterceptor: (request: SwaggerRequest) => withoutProviders(opened, request),
    persistAuthorization: false,
    deepLinking: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    showCommonExtensions: true,
    defaultModelsExpandDepth: 0,
  });
  opened = ui;
  return { ui, shadow: root };
}
