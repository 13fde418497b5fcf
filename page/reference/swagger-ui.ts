/** Of Swagger UI what is used here. */
export interface SwaggerUi {
  readonly specActions: { download(url: string): void };
  readonly specSelectors: { securityDefinitions(): Listed | undefined };
  readonly authSelectors: { authorized(): Listed | undefined };
  readonly authActions: {
    authorize(authorized: Readonly<Record<string, unknown>>): void;
    authorizeOauth2(authorized: Readonly<Record<string, unknown>>): void;
    logout(names: readonly string[]): void;
  };
}

/** A value of Immutable.js. */
interface Listed {
  toJS(): Readonly<Record<string, SecurityScheme>>;
  get(name: string): unknown;
}

interface SecurityScheme {
  readonly openIdConnectUrl?: string;
  readonly type?: string;
  readonly scheme?: string;
}

/** A request that Swagger UI is about to send, and how. */
export interface SwaggerRequest {
  readonly url: string;
  readonly userFetch?: () => Promise<Response>;
}

interface SwaggerOptions {
  readonly url: string;
  readonly domNode: HTMLElement;
  readonly onComplete: () => void;
  readonly [option: string]: unknown;
}

declare global {
  interface Window {
    SwaggerUIBundle?: (options: SwaggerOptions) => SwaggerUi;
  }
}

const folder = '/_mock/page/reference/';

/** Loads the library, once for the page. */
export async function loadSwaggerUi(): Promise<(options: SwaggerOptions) => SwaggerUi> {
  if (window.SwaggerUIBundle === undefined) await loadScript(`${folder}swagger-ui.js`);
  if (window.SwaggerUIBundle === undefined) throw new Error('Swagger UI could not be loaded.');
  return window.SwaggerUIBundle;
}

/** Its style for a shadow tree, where the root of the page cannot be selected. */
export async function loadSwaggerStyle(): Promise<string> {
  const response = await fetch(`${folder}swagger-ui.css`);
  if (!response.ok) throw new Error('The style of Swagger UI could not be loaded.');
  return (await response.text()).replaceAll('html.dark-mode', ':host(.dark-mode)');
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
 * The request, or for a provider of identities an empty response in its place: Swagger UI asks it of
 * its own accord, and nothing leaves this mock.
 */
export function withoutProviders(
  ui: SwaggerUi | undefined,
  request: SwaggerRequest,
): SwaggerRequest {
  const schemes = Object.values(ui?.specSelectors.securityDefinitions()?.toJS() ?? {});
  if (schemes.every(({ openIdConnectUrl }) => openIdConnectUrl !== request.url)) return request;
  return { ...request, userFetch: () => Promise.resolve(Response.json({})) };
}

/** Sends a key with all requests from now on, in every way that the document knows; none without it. */
export function authorize(ui: SwaggerUi, key: string | undefined): void {
  const definitions = ui.specSelectors.securityDefinitions();
  const known = Object.keys(ui.authSelectors.authorized()?.toJS() ?? {});
  if (known.length > 0) ui.authActions.logout(known);
  if (key === undefined) return;
  for (const [name, { type = '', scheme = '' }] of Object.entries(definitions?.toJS() ?? {})) {
    const schema = definitions?.get(name);
    if (type === 'oauth2' || type === 'openIdConnect')
      ui.authActions.authorizeOauth2({ auth: { name, schema }, token: { access_token: key } });
    else {
      const isBasic = type === 'basic' || scheme.toLowerCase() === 'basic';
      const value = isBasic ? { username: key, password: key } : key;
      ui.authActions.authorize({ [name]: { name, schema, value } });
    }
  }
}
