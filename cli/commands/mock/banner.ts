import { X509Certificate } from 'node:crypto';
import {
  type Contract,
  type Diagnostic,
  encodePathText,
  isCredential,
  type Operation,
  renderCredential,
} from '../../../contract/index.ts';
import { type Listening, type Mock, type MockKey, planWord } from '../../../mock/index.ts';
import { countColumns, wrapText } from '../../../report/text/columns.ts';
import { renderTable, tableWidth, type TextLayout } from '../../../report/text/layout.ts';
import { plain } from '../../../report/text/paint.ts';
import { quoteShell, quoteWord } from '../../../page/view/quote/shell.ts';
import { countOf } from '../../../page/view/count.ts';
import {
  joinShown,
  show,
  showJson,
  showLine,
  type VisibleText,
} from '../../../page/view/visible.ts';

/** The choices of the mock for the open questions of the document. */
export interface ChosenAnswers {
  /** Choices other than the document's default, by question. */
  readonly choices: Readonly<Record<string, string>>;
  /** What was taken from a report; undefined where none was given. */
  readonly like: TakenAnswers | undefined;
}

/** What a report had to say, by question. */
interface TakenAnswers {
  readonly file: string;
  /** Choices of it that the mock makes, the document's defaults included. */
  readonly taken: Readonly<Record<string, string>>;
  /** Why others could not be taken, a line each. */
  readonly leftOut: readonly string[];
}

/**
 * What `petstore mock` prints when it is ready: base URL, certificate, keys, choices and a curl line.
 * No line is wider than the layout, but for addresses, keys and commands, which are copied whole.
 */
export function renderBanner(
  mock: Mock,
  { url, certificate, openAddress }: Pick<Listening, 'url' | 'certificate' | 'openAddress'>,
  chosen: ChosenAnswers & ServingPlace,
  layout: TextLayout,
): VisibleText {
  const { contract, keys } = mock;
  const shown = certificate === undefined ? undefined : new X509Certificate(certificate);
  // Clients accept a self-signed certificate only with an option.
  const program = shown?.checkIssued(shown) ? 'curl -k -i' : 'curl -i';
  const shownKeys =
    contract.rateLimit === undefined
      ? renderCredentialLines(contract, keys[0]?.key ?? '').map(showLine)
      : renderKeys(keys, layout);
  const lines = [
    ...renderTitle(contract, url, layout),
    showLine(`  In a browser: ${new URL(url).origin}/_mock/`),
    ...renderCertificate(shown).map(showLine),
    ...renderReach(openAddress, chosen).flatMap((line) => indent(showLine(line), layout)),
    show``,
    ...(shownKeys.length === 0 ? [] : [...shownKeys, show``]),
    ...[renderSandboxes(mock), ...renderState(chosen), ...renderChosen(chosen)].flatMap((line) =>
      indent(showLine(line), layout),
    ),
    ...renderWebhooks(contract, `${new URL(url).origin}/_mock/webhooks`, program).map(showLine),
    show``,
    ...renderCurl(mock, url, program).map(showLine),
    show``,
  ];
  return joinShown(lines, '\n');
}

/** What the command line says of where the mock serves. */
interface ServingPlace {
  /** Where sandboxes are kept; undefined: in memory. */
  readonly state?: string | undefined;
  readonly controlToken?: string | undefined;
}

/** Who else reaches the mock, what that opens to them, and how it is closed. */
function renderReach(
  address: string | undefined,
  { controlToken }: ServingPlace,
): readonly string[] {
  if (address === undefined) return [];
  const control =
    controlToken === undefined
      ? 'The control interface stays closed to them.'
      : 'Whoever has the control token may change all of it.';
  return [
    `Open to other machines: it listens on ${address}. They may send requests, and the keys below are known to everyone. ${control} --host 127.0.0.1 closes it.`,
  ];
}

/** An address without user and password. */
function renderState({ state }: ServingPlace): readonly string[] {
  return state === undefined ? [] : [`Sandboxes are kept in ${state.replace(/\/\/[^/]*@/, '//')}.`];
}

/** How many errors and warnings the document has, in one line; empty for none. */
export function renderFaults({ diagnostics, source }: Contract, file = source): string {
  const count = (level: Diagnostic['level']): number =>
    diagnostics.filter((one) => one.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors + warnings === 0) return '';
  const ignored = errors === 1 ? 'that part is' : 'those parts are';
  const left = errors === 0 ? [] : [`${countOf(errors, 'error')} (${ignored} ignored)`];
  const read = warnings === 0 ? [] : [countOf(warnings, 'warning')];
  return `${source}: ${[...left, ...read].join(', ')}. npx petstore-contract lint ${quoteWord(file)} lists them.`;
}

/** The address ends the last line, or has a line of its own if it does not fit beside the title. */
function renderTitle(
  { title, version, source }: Contract,
  url: string,
  { width, paint }: TextLayout,
): readonly VisibleText[] {
  const lines = wrapText(showLine(`${title} ${version} (${source})`), width);
  const last = lines.at(-1) ?? '';
  const address = showLine(url);
  const end = show`is mocked at ${address}`;
  const isRoomy = countColumns(`${last} ${end}`) <= width;
  const shown = show`is mocked at ${paint.strong(address)}`;
  return isRoomy ? [...lines.slice(0, -1), show`${last} ${shown}`] : [...lines, shown];
}

function indent(text: VisibleText, { width }: TextLayout): readonly VisibleText[] {
  return wrapText(text, width - 4).map(
    (line, index) => show`${index === 0 ? '  ' : '    '}${line}`,
  );
}

/** Choices other than the document's, and what was taken from a report. */
function renderChosen({ choices, like }: ChosenAnswers): readonly string[] {
  const made = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  const lines = made.length === 0 ? [] : [`Choices: ${made.join(', ')}`];
  if (like === undefined) return lines;
  const all = Object.entries(like.taken);
  const others = all.filter(([id, choice]) => choices[id] === choice).length;
  const usual = all.length - others;
  return [
    ...lines,
    `Like ${like.file}: ${others} of these choices, ${usual} defaults of the document, ${like.leftOut.length} not taken.`,
  ];
}

function renderCertificate(shown: X509Certificate | undefined): readonly string[] {
  const until = shown?.validToDate.toISOString().slice(0, 10);
  if (shown === undefined) return [];
  const half = shown.fingerprint256.length / 2;
  const [one, other] = [
    shown.fingerprint256.slice(0, half + 1),
    shown.fingerprint256.slice(half + 1),
  ];
  return [`Certificate until ${until}`, `  SHA-256 ${one}`, `          ${other}`];
}

function renderSandboxes({ contract, keys: [first] }: Mock): string {
  const word = planWord(first?.plan ?? '');
  if (word !== '') return `Any key such as ${word}_alice has a sandbox of its own.`;
  return contract.operations.every(({ security }) => security.flat().length === 0)
    ? 'No key is needed.'
    : 'Any other key, such as alice, has a sandbox of its own.';
}

/** How many there are, and a line that sends the first. */
function renderWebhooks({ webhooks }: Contract, url: string, program: string): readonly string[] {
  const [first] = webhooks;
  if (first === undefined) return [];
  const name = encodeURIComponent(first.name.toWellFormed()).replaceAll("'", '%27');
  const order = `-H 'Content-Type: application/json' -d '{"url":"http://127.0.0.1:8080/"}'`;
  return [
    `  Webhooks: ${webhooks.length}; the first is sent by`,
    `    ${program} ${order} ${quoteShell(`${url}/${name}`)}`,
  ];
}

/** A table, or where that is too wide a key a line with the rest below it. */
function renderKeys(keys: readonly MockKey[], layout: TextLayout): readonly VisibleText[] {
  const rows = [['  Key', 'Plan', 'Limits'], ...keys.map(keyRow)].map((row, index) =>
    row.map((text) => ({
      text: showLine(text),
      paint: index === 0 ? layout.paint.quiet : plain,
    })),
  );
  if (tableWidth(rows) <= layout.width) return [renderTable(rows, layout)];
  return keys.flatMap((key) => {
    const [name = '', plan, limits] = keyRow(key);
    return [showLine(name), ...indent(showLine(`  ${plan}: ${limits}`), layout)];
  });
}

function keyRow({ key, plan, limits }: MockKey): readonly string[] {
  const rates = limits.map(
    ({ window, limit }) => `${groupDigits(limit)} ${window === 'hour' ? 'an' : 'a'} ${window}`,
  );
  return [`  ${key}`, plan === '' ? '-' : plan, rates.length === 0 ? 'none' : rates.join(', ')];
}

/** `1,000,000`. `toLocaleString` loads the data of all locales first. */
function groupDigits(count: number): string {
  const digits = `${count}`;
  const first = digits.length % 3 || 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return [digits.slice(0, first), ...groups].join(',');
}

function renderCurl({ contract, keys }: Mock, url: string, program: string): readonly string[] {
  const operation =
    contract.resources[0]?.list ??
    contract.operations.find(({ method, path }) => method === 'GET' && !path.includes('{'));
  if (operation === undefined || operation.path.includes('{')) return [];
  return [`  ${curl(operation, keys[0]?.key ?? '', url, program)}`, ''];
}

function curl({ credential, path }: Operation, key: string, url: string, program: string): string {
  const address = url + encodePathText(path);
  const field = renderCredential(credential, key);
  if (field === undefined) return `${program} ${quoteShell(address)}`;
  const { in: place, name, value } = field;
  if (place === 'query')
    return `${program} ${quoteShell(`${address}?${encodeURIComponent(name)}=${value}`)}`;
  return place === 'header'
    ? `${program} -H ${quoteShell(`${name}: ${value}`)} ${quoteShell(address)}`
    : `${program} -b ${quoteShell(`${name}=${value}`)} ${quoteShell(address)}`;
}

/** What a mock that listens is, as a line of JSON for machines; without its line end. */
export function renderListening(
  { contract, keys }: Mock,
  { url, certificate, openAddress }: Pick<Listening, 'url' | 'certificate' | 'openAddress'>,
  { choices, like }: ChosenAnswers,
): VisibleText {
  const { title, version, source } = contract;
  const shown = certificate === undefined ? undefined : new X509Certificate(certificate);
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
    certificate: shown && { fingerprint: shown.fingerprint256, until: shown.validToDate },
  });
}

/** How a key is shown by each scheme that operations of a document demand: `X-Api-Key: demo`. */
export function renderCredentialLines({ operations }: Contract, key: string): readonly string[] {
  const schemes = operations.flatMap(({ security }) => security.flat().filter(isCredential));
  const fields = schemes.flatMap((scheme) => renderCredential(scheme, key) ?? []);
  const lines = fields.map(({ in: place, name, value }) => {
    if (place === 'query') return `  ?${encodeURIComponent(name)}=${value}`;
    return place === 'cookie' ? `  Cookie: ${name}=${value}` : `  ${name}: ${value}`;
  });
  return [...new Set(lines)];
}
