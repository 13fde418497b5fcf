import { type JsonValue, renderJson } from '../../../contract/json/value.ts';
import type { MediaType } from '../../../contract/openapi/media-type.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import type { Webhook } from '../../../contract/openapi/operation.ts';
import { isOwnHost } from '../../../contract/http/address.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { Issue } from '../../../contract/schema/schema-node.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Delivery, WebhookOrder as Order } from '../declaration/schemas.ts';
import { renderIssues } from '../../operation/response/refusal.ts';
import {
  chooseContent,
  isJsonContent,
  renderBody,
  typeOf,
} from '../../operation/response/representation.ts';

/** What a webhook is sent with. */
export interface WebhookOrder extends Order {
  /** Hosts that the receiver may be on, besides this machine. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** Ends the wait for the receiver. */
  readonly signal?: AbortSignal | undefined;
}

/** For the whole response. */
const maxMilliseconds = 10_000;

const maxCharacters = 65_536;

/**
 * Sends a webhook to a URL, and waits for the response; redirects are not followed. Rejects with
 * `PetstoreError`: code `webhook` for an invalid URL or one that webhooks must not go to, code
 * `receiver` if there is no response in time.
 */
export async function sendWebhook(
  webhook: Webhook,
  url: string,
  { body: given, hosts = [], signal }: Omit<WebhookOrder, 'url'> = {},
  limit = maxMilliseconds,
): Promise<Delivery> {
  refuseReceiver(url, hosts);
  const { method, requestBody } = webhook;
  const content = chooseContent(requestBody?.content ?? [], undefined);
  const { value, issues } = chooseBody(content, given);
  const hasBody = value !== undefined && method !== 'GET' && method !== 'HEAD';
  const render = content === undefined ? renderJson : (one: JsonValue) => renderBody(one, content);
  const body = hasBody ? render(value) : undefined;
  const type = content === undefined ? 'application/json' : typeOf(content);
  const headers = { ...requiredHeaders(webhook), ...(hasBody ? { 'content-type': type } : {}) };
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(limit), ...(signal ? [signal] : [])]),
    });
    const { status } = response;
    const received = { status, headers: Object.fromEntries(response.headers) };
    const start = await readStart(response);
    return {
      request: { method, url, headers, body },
      response: { ...received, ...start },
      milliseconds: performance.now() - started,
      warnings: issues.length === 0 ? [] : [renderIssues(issues)],
    };
  } catch (cause) {
    const reason = explainSilence(cause, limit);
    throw new PetstoreError(
      'receiver',
      `The webhook could not be delivered to ${url}: ${reason}.`,
      { cause },
    );
  }
}

/**
 * A client of the API may choose the address of a callback, and the machine of the mock often reaches
 * servers that the client does not.
 */
function refuseReceiver(url: string, hosts: readonly string[]): void {
  const { protocol = '', hostname = '' } = URL.parse(url) ?? {};
  if (!/^https?:$/.test(protocol))
    throw new PetstoreError('webhook', `"${url}" is not an http: or https: URL.`);
  if (isOwnHost(hostname) || hosts.some((host) => host.toLowerCase() === hostname)) return;
  throw new PetstoreError(
    'webhook',
    `Webhooks go to this machine only, not to ${hostname}. Start the mock with --webhook-host ${hostname} to allow it.`,
  );
}

/** The given body, with its issues; else an example, else a sample. */
function chooseBody(
  content: MediaType | undefined,
  given: JsonValue | undefined,
): { readonly value: JsonValue | undefined; readonly issues: readonly Issue[] } {
  const { schema, examples: [example] = [] } = content ?? {};
  if (given !== undefined) {
    // A text is sent as it is, in any format.
    const isJudged = content !== undefined && (isJsonContent(content) || typeof given !== 'string');
    return { value: given, issues: isJudged ? (schema?.validate(given) ?? []) : [] };
  }
  return example === undefined && schema !== undefined
    ? sampleSchema(schema, { direction: 'request', members: 'all' })
    : { value: example?.value, issues: [] };
}

/** The headers that the document requires, each with an example or a sample. */
function requiredHeaders({ parameters }: Webhook): Readonly<Record<string, string>> {
  const wanted = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  const values = wanted.map(({ name, schema, examples: [example] }): [string, string] => {
    const value = example?.value ?? sampleSchema(schema, { direction: 'request' }).value;
    return [name.toLowerCase(), typeof value === 'string' ? value : renderJson(value)];
  });
  return Object.fromEntries(values.filter(([, text]) => /^[\t\x20-\x7e]*$/.test(text)));
}

async function readStart(response: Response) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > maxCharacters) break;
  }
  return { body: text.slice(0, maxCharacters), isCut: text.length > maxCharacters };
}

function explainSilence(cause: unknown, limit: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `there was no response within ${limit / 1000} seconds`;
  const { cause: inner } = cause;
  return inner instanceof Error && inner.message ? inner.message : cause.message;
}

/** Why no address is known for a webhook or a callback of a sandbox. */
export function explainNoAddress({ name, callback }: Webhook, sandbox: string): string {
  if (callback === undefined) return `The webhook "${name}" needs a "url" to send it to.`;
  const { operation, expression } = callback;
  return `No request to ${operation} in the journal of the sandbox ${sandbox} contains the address ${expression}. Send such a request first, or pass a "url".`;
}

/** The address of a callback, by the last request in a journal that contains one. */
export function lastAddress(entries: readonly JournalEntry[], name: string): string | undefined {
  return entries
    .flatMap(({ callbacks = [] }) => callbacks)
    .findLast((callback) => callback.name === name)?.url;
}
