import type { X509Certificate } from 'node:crypto';
import {
  type Contract,
  encodePathText,
  isCredential,
  renderCredential,
} from '../../../contract/index.ts';
import { type Listening, type Mock, type MockKey, planWord } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { quoteShell, quoteWord } from '../../../page/view/quote/shell.ts';
import {
  joinShown,
  show,
  showJson,
  showLine,
  type VisibleText,
} from '../../../page/view/visible.ts';
import { countColumns, wrapText } from '../../../report/text/columns.ts';
import {
  joinSections,
  renderTable,
  tableWidth,
  type TextLayout,
} from '../../../report/text/layout.ts';
import { plain } from '../../../report/text/paint.ts';

/** The choices of the mock for the open questions of the document. */
export interface Chosen {
  /** Choices other than the document's default, by question. */
  readonly choices: Readonly<Record<string, string>>;
  /** What a report of `--like` gave: the choices taken, defaults included, and why not others. */
  readonly like:
    | {
        readonly file: string;
        readonly taken: Readonly<Record<string, string>>;
        readonly leftOut: readonly string[];
      }
    | undefined;
}

type ListeningFacts = Pick<Listening, 'url' | 'openAddress'> & {
  readonly certificate: X509Certificate | undefined;
};

/** Where the sandboxes are kept, and who may use the control interface. */
interface Access {
  /** The only other keys that are accepted; none: any. */
  readonly key?: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly controlToken?: string | undefined;
}

/**
 * What `petstore mock` prints when it is ready: base URL, certificate, keys, choices and a curl line.
 * No line is wider than the layout, except addresses, keys and commands, which are copied whole.
 */
export function renderBanner(
  mock: Mock,
  listening: ListeningFacts,
  chosen: Chosen & Access,
  layout: TextLayout,
): VisibleText {
  const { contract, keys } = mock;
  const { url, openAddress, certificate } = listening;
  const control = `${new URL(url).origin}/_mock/`;
  // Clients accept a self-signed certificate only with an option.
  const program = certificate?.checkIssued(certificate) ? 'curl -k -i' : 'curl -i';
  const notes = (texts: readonly string[]): readonly VisibleText[] =>
    texts.flatMap((text) => indent(showLine(text), layout));
  const sections = [
    [
      ...renderTitle(contract, url, layout),
      showLine(`  In a browser: ${control}`),
      ...renderCertificate(certificate).map(showLine),
      ...notes(openAddress === undefined ? [] : [describeReach(openAddress, chosen)]),
    ],
    contract.rateLimit === undefined
      ? renderCredentialLines(contract, keys[0]?.key ?? '').map(showLine)
      : renderKeys(keys, layout),
    [
      ...notes([...describeService(mock, chosen)]),
      ...renderWebhooks(contract, control, program).map(showLine),
    ],
    renderCurl(mock, url, program).map(showLine),
  ];
  return joinSections(sections.map((lines) => joinShown(lines, '\n')));
}

/** How many errors and warnings the document has, in one line; empty for none. */
export function renderFaults({ diagnostics, source }: Contract, file = source): string {
  const [errors = 0, warnings = 0] = ['error', 'warning'].map(
    (level) => diagnostics.filter((one) => one.level === level).length,
  );
  if (errors + warnings === 0) return '';
  const ignored = errors === 1 ? 'that part is' : 'those parts are';
  const counts = [
    ...(errors === 0 ? [] : [`${countOf(errors, 'error')} (${ignored} ignored)`]),
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ];
  return `${source}: ${counts.join(', ')}. npx petstore-contract lint ${quoteWord(file)} lists them.`;
}

/** The address ends the last line, or has a line of its own if it does not fit beside the title. */
function renderTitle(
  { title, version, source }: Contract,
  url: string,
  { width, paint }: TextLayout,
): readonly VisibleText[] {
  const lines = wrapText(showLine(`${title} ${version} (${source})`), width);
  const last = lines.at(-1) ?? show``;
  const end = show`is mocked at ${paint.strong(showLine(url))}`;
  const isRoomy = countColumns(`${last} is mocked at ${url}`) <= width;
  return isRoomy ? [...lines.slice(0, -1), show`${last} ${end}`] : [...lines, end];
}

function indent(text: VisibleText, { width }: TextLayout): readonly VisibleText[] {
  return wrapText(text, width - 4).map(
    (line, index) => show`${index === 0 ? '  ' : '    '}${line}`,
  );
}

/** Who else reaches the mock, what that opens to them, and how it is closed. */
function describeReach(address: string, { controlToken }: Access): string {
  const control =
    controlToken === undefined
      ? 'The control interface stays closed to them.'
      : 'Whoever has the control token may change all of it.';
  return `Open to other machines: it listens on ${address}. They may send requests, and the keys below are known to everyone. ${control} --host 127.0.0.1 closes it.`;
}

/** Whose sandboxes there are, where they are kept, and what was chosen. */
function* describeService(mock: Mock, { key = [], state, choices, like }: Chosen & Access) {
  yield describeKeys(mock, key);
  // Without user and password.
  if (state !== undefined) yield `Sandboxes are kept in ${state.replace(/\/\/[^/]*@/, '//')}.`;
  const made = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  if (made.length > 0) yield `Choices: ${made.join(', ')}`;
  if (like === undefined) return;
  const taken = Object.entries(like.taken);
  const others = taken.filter(([id, choice]) => choices[id] === choice).length;
  yield `Like ${like.file}: ${others} of these choices, ${taken.length - others} defaults of the document, ${like.leftOut.length} not taken.`;
}

function describeKeys({ contract, keys: [first] }: Mock, key: readonly string[]): string {
  if (key.length > 0)
    return `Of other keys, only ${key.join(', ')} ${key.length === 1 ? 'is' : 'are'} accepted.`;
  const word = planWord(first?.plan ?? '');
  if (word !== '') return `Any key such as ${word}_alice has a sandbox of its own.`;
  return contract.operations.every(({ security }) => security.flat().length === 0)
    ? 'No key is needed.'
    : 'Any other key, such as alice, has a sandbox of its own.';
}

function renderCertificate(certificate: X509Certificate | undefined): readonly string[] {
  if (certificate === undefined) return [];
  const { fingerprint256: print, validToDate } = certificate;
  return [
    `Certificate until ${validToDate.toISOString().slice(0, 10)}`,
    `  SHA-256 ${print.slice(0, 48)}`,
    `          ${print.slice(48)}`,
  ];
}

/** How many there are, and a line that sends the first. */
function renderWebhooks(
  { webhooks }: Contract,
  control: string,
  program: string,
): readonly string[] {
  const [first] = webhooks;
  if (first === undefined) return [];
  const name = encodeURIComponent(first.name.toWellFormed()).replaceAll("'", '%27');
  const order = `-H 'Content-Type: application/json' -d '{"url":"http://127.0.0.1:8080/"}'`;
  return [
    `  Webhooks: ${webhooks.length}; the first is sent by`,
    `    ${program} ${order} ${quoteShell(`${control}webhooks/${name}`)}`,
  ];
}

/** A table, or where that is too wide each key with the rest below it. */
function renderKeys(keys: readonly MockKey[], layout: TextLayout): readonly VisibleText[] {
  const rows = keys.map(({ key, plan, limits }) => {
    const rates = limits.map(
      ({ window, limit }) => `${groupDigits(limit)} ${window === 'hour' ? 'an' : 'a'} ${window}`,
    );
    return { key: `  ${key}`, plan: plan || '-', limits: rates.join(', ') || 'none' };
  });
  const titles = { key: '  Key', plan: 'Plan', limits: 'Limits' };
  const table = [titles, ...rows].map((row) =>
    Object.values(row).map((text) => ({
      text: showLine(text),
      paint: row === titles ? layout.paint.quiet : plain,
    })),
  );
  if (tableWidth(table) <= layout.width) return [renderTable(table, layout)];
  return rows.flatMap(({ key, plan, limits }) => [
    showLine(key),
    ...indent(showLine(`  ${plan}: ${limits}`), layout),
  ]);
}

/** `1,000,000`. `toLocaleString` loads the data of all locales first. */
function groupDigits(count: number): string {
  return `${count}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A line that reads the first collection; none where every path has parameters. */
function renderCurl({ contract, keys }: Mock, url: string, program: string): readonly string[] {
  const paths = contract.operations.map(({ path }) => path);
  const open = contract.operations.filter(
    ({ method, path }) => method === 'GET' && !path.includes('{'),
  );
  const operation =
    open.find((list) => paths.some((path) => path.startsWith(`${list.path}/{`))) ?? open[0];
  if (operation === undefined) return [];
  const address = url + encodePathText(operation.path);
  const field = renderCredential(operation.credential, keys[0]?.key ?? '');
  const shown = field?.in === 'query' ? address + queryOf(field) : address;
  const options = {
    header: ` -H ${quoteShell(`${field?.name}: ${field?.value}`)}`,
    cookie: ` -b ${quoteShell(`${field?.name}=${field?.value}`)}`,
    query: '',
  };
  return [`  ${program}${options[field?.in ?? 'query']} ${quoteShell(shown)}`];
}

function queryOf({ name, value }: { readonly name: string; readonly value: string }): string {
  return `?${encodeURIComponent(name)}=${value}`;
}

/** How a key is shown by each scheme that operations of a document demand: `X-Api-Key: demo`. */
export function renderCredentialLines({ operations }: Contract, key: string): readonly string[] {
  const schemes = operations.flatMap(({ security }) => security.flat().filter(isCredential));
  const lines = schemes.flatMap((scheme) => {
    const field = renderCredential(scheme, key);
    if (field === undefined) return [];
    if (field.in === 'query') return `  ${queryOf(field)}`;
    const { name, value } = field;
    return field.in === 'cookie' ? `  Cookie: ${name}=${value}` : `  ${name}: ${value}`;
  });
  return [...new Set(lines)];
}

/** What a mock that listens is, as a line of JSON for machines. */
export function renderListening(
  { contract: { title, version, source }, keys }: Mock,
  listening: ListeningFacts,
  { choices, like }: Chosen,
): VisibleText {
  const { url, openAddress, certificate } = listening;
  return showJson({
    kind: 'listening',
    at: new Date().toISOString(),
    url,
    page: `${new URL(url).origin}/_mock/`,
    openAddress,
    document: { title, version, source },
    keys: keys.map(({ key, plan, limits }) => ({
      key,
      plan: plan === '' ? undefined : plan,
      limits: Object.fromEntries(limits.map(({ window, limit }) => [window, limit])),
    })),
    choices,
    like,
    certificate: certificate && {
      fingerprint: certificate.fingerprint256,
      until: certificate.validToDate,
    },
  });
}
