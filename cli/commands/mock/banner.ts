import type { X509Certificate } from 'node:crypto';
import type { Contract } from '../../../contract/contract.ts';
import {
  type CredentialField,
  isCredential,
  renderCredential,
} from '../../../contract/openapi/credential.ts';
import { encodePathText } from '../../../contract/openapi/path-pattern.ts';
import { type Listening, type Mock, type MockKey, planWord } from '../../../mock/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { renderCurl } from '../../../page/view/quote/curl.ts';
import { quoteWord } from '../../../page/view/quote/shell.ts';
import { joinShown, show, showLine, type VisibleText } from '../../../page/view/visible.ts';
import {
  countColumns,
  wrapText,
  joinSections,
  renderTable,
  tableWidth,
  type TextLayout,
  plain,
} from '../../../report/text/layout.ts';
import { type CommandIo, tellError } from '../../io/command-io.ts';

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
  { url, openAddress, certificate }: ListeningFacts,
  chosen: Chosen & Access,
  layout: TextLayout,
): VisibleText {
  const { contract, keys } = mock;
  const control = `${new URL(url).origin}/_mock/`;
  // Clients accept a self-signed certificate only with an option.
  const isInsecure = certificate?.checkIssued(certificate) === true;
  const notes = (texts: readonly string[]) =>
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
    [...notes(describeService(mock, chosen)), ...renderWebhooks(contract, control, isInsecure)],
    renderFirstRequest(mock, url, isInsecure),
  ];
  return joinSections(sections.map((lines) => joinShown(lines, '\n')));
}

/** Prints how many errors and warnings the document has, in one line; nothing for none. */
export function printFaults(
  { diagnostics, source }: Contract,
  file: string | undefined,
  io: CommandIo,
): void {
  const count = (level: string): number => diagnostics.filter((one) => one.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const ignored = errors === 1 ? 'that part is' : 'those parts are';
  const counts = [
    ...(errors === 0 ? [] : [`${countOf(errors, 'error')} (${ignored} ignored)`]),
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ];
  const command = `npx petstore-contract lint ${quoteWord(file ?? source)}`;
  if (counts.length > 0)
    tellError(io, 'mock', `${source}: ${counts.join(', ')}. ${command} lists them.`);
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
function describeService(
  mock: Mock,
  { key = [], state, choices, like }: Chosen & Access,
): readonly string[] {
  const made = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  const notes = [describeKeys(mock, key)];
  // Without user and password.
  if (state !== undefined)
    notes.push(`Sandboxes are kept in ${state.replace(/\/\/[^/]*@/, '//')}.`);
  if (made.length > 0) notes.push(`Choices: ${made.join(', ')}`);
  if (like !== undefined)
    notes.push(
      `Like ${like.file}: ${Object.keys(like.taken).length} choices taken, ${like.leftOut.length} not.`,
    );
  return notes;
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
  isInsecure: boolean,
): readonly VisibleText[] {
  const [first] = webhooks;
  if (first === undefined) return [];
  const name = encodeURIComponent(first.name.toWellFormed()).replaceAll("'", '%27');
  const curl = renderCurl({
    method: 'POST',
    url: `${control}webhooks/${name}`,
    headers: [['Content-Type', 'application/json']],
    body: '{"url":"http://127.0.0.1:8080/"}',
    isInsecure,
  });
  return [show`  Webhooks: ${webhooks.length}; the first is sent by`, show`    ${curl}`];
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

/** A curl line that reads the first collection; none where every path has parameters. */
function renderFirstRequest(
  { contract: { operations }, keys }: Mock,
  url: string,
  isInsecure: boolean,
): readonly VisibleText[] {
  const open = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const isList = (path: string) => operations.some((one) => one.path.startsWith(`${path}/{`));
  const operation = open.find(({ path }) => isList(path)) ?? open[0];
  if (operation === undefined) return [];
  const field = renderCredential(operation.credential, keys[0]?.key ?? '');
  const query = field?.in === 'query' ? queryOf(field) : '';
  const headers = listHeaders(field);
  const address = `${url}${encodePathText(operation.path)}${query}`;
  return [show`  ${renderCurl({ method: 'GET', url: address, headers, isInsecure })}`];
}

/** The header field that carries a credential. */
function listHeaders(
  field: CredentialField | undefined,
): readonly (readonly [name: string, value: string])[] {
  if (field === undefined || field.in === 'query') return [];
  const { name, value } = field;
  return [field.in === 'cookie' ? ['Cookie', `${name}=${value}`] : [name, value]];
}

function queryOf({ name, value }: { readonly name: string; readonly value: string }): string {
  return `?${encodeURIComponent(name)}=${value}`;
}

/** How a key is shown by each scheme that operations of a document demand: `X-Api-Key: demo`. */
export function renderCredentialLines({ operations }: Contract, key: string): readonly string[] {
  const schemes = operations.flatMap(({ security }) => security.flat().filter(isCredential));
  const lines = schemes.flatMap((scheme) => {
    const field = renderCredential(scheme, key);
    if (field?.in === 'query') return `  ${queryOf(field)}`;
    return listHeaders(field).map(([name, value]) => `  ${name}: ${value}`);
  });
  return [...new Set(lines)];
}

/** What a mock that listens is, for machines. */
export function describeListening(
  { contract: { title, version, source }, keys }: Mock,
  { url, openAddress, certificate }: ListeningFacts,
  { choices, like }: Chosen,
): object {
  return {
    url,
    page: `${new URL(url).origin}/_mock/`,
    openAddress,
    document: { title, version, source },
    keys: keys.map(({ key, plan, limits }) => ({
      key,
      plan: plan || undefined,
      limits: Object.fromEntries(limits.map(({ window, limit }) => [window, limit])),
    })),
    choices,
    like,
    certificate: certificate && {
      fingerprint: certificate.fingerprint256,
      until: certificate.validToDate,
    },
  };
}
