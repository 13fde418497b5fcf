import { X509Certificate } from 'node:crypto';
import {
  type Contract,
  type Diagnostic,
  type Operation,
  renderCredential,
} from '../../../contract/index.ts';
import { renderCredentialLines } from './credential-lines.ts';
import { type Listening, type Mock, type MockKey, planWord } from '../../../mock/index.ts';
import { plainLayout, renderTable } from '../../../report/text/layout.ts';
import { type Paint, plainPaint } from '../../../report/text/paint.ts';

/** What `petstore mock` prints when it is ready: base URL, certificate, keys and a curl line. */
export function renderBanner(
  mock: Mock,
  { url, certificate }: Pick<Listening, 'url' | 'certificate'>,
  paint: Paint = plainPaint,
): string {
  const { contract, keys } = mock;
  const shown = certificate === undefined ? undefined : new X509Certificate(certificate);
  // A client takes a certificate signed by itself only where it is told to.
  const program = shown?.checkIssued(shown) ? 'curl -k -i' : 'curl -i';
  return [
    `${contract.title} ${contract.version} (${contract.source}) is mocked at ${paint.strong(url)}`,
    ...renderCertificate(shown),
    '',
    ...(contract.rateLimit === undefined
      ? renderCredentialLines(contract, keys[0]?.key ?? '')
      : [renderKeys(keys, paint)]),
    '',
    `  ${renderSandboxes(mock)}Control: ${new URL(url).origin}/_mock/`,
    ...renderWebhooks(contract, `${new URL(url).origin}/_mock/webhooks`, program),
    '',
    ...renderCurl(mock, url, program),
    '',
  ].join('\n');
}

/** What of the document is not served as it stands, in one line; empty for nothing. */
export function renderFaults({ diagnostics, source }: Contract, file = source): string {
  const count = (level: Diagnostic['level']): number =>
    diagnostics.filter((one) => one.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors + warnings === 0) return '';
  const left = errors === 0 ? [] : [`${errors} ${errors === 1 ? 'part is' : 'parts are'} left out`];
  const read = warnings === 0 ? [] : [`${warnings} to look at`];
  return `${source}: ${[...left, ...read].join(', ')}. petstore lint ${file} lists them.`;
}

function renderCertificate(shown: X509Certificate | undefined): readonly string[] {
  const until = shown?.validToDate.toISOString().slice(0, 10);
  return shown === undefined ? [] : [`Certificate ${shown.fingerprint256}, until ${until}`];
}

function renderSandboxes({ contract, keys: [first] }: Mock): string {
  const word = planWord(first?.plan ?? '');
  if (word !== '') return `Any key such as ${word}_alice has a sandbox of its own. `;
  return contract.operations.every(({ security }) => security.flat().length === 0)
    ? 'No key is wanted. '
    : 'Any other key, such as alice, has a sandbox of its own. ';
}

/** How many there are, and a line that sends the first. */
function renderWebhooks({ webhooks }: Contract, url: string, program: string): readonly string[] {
  const [first] = webhooks;
  if (first === undefined) return [];
  const name = encodeURIComponent(first.name).replaceAll("'", '%27');
  const order = `-H 'Content-Type: application/json' -d '{"url":"http://127.0.0.1:8080/"}'`;
  return [`  Webhooks: ${webhooks.length}; ${program} ${order} '${url}/${name}'`];
}

function renderKeys(keys: readonly MockKey[], { quiet }: Paint): string {
  const rows = [['  Key', 'Plan', 'Limits'], ...keys.map(keyRow)].map((row, index) =>
    row.map((text) => ({ text, paint: index === 0 ? quiet : String })),
  );
  return renderTable(rows, { ...plainLayout, width: Number.POSITIVE_INFINITY });
}

function keyRow({ key, plan, limits }: MockKey): readonly string[] {
  const rates = limits.map(
    ({ window, limit }) => `${groupDigits(limit)} ${window === 'hour' ? 'an' : 'a'} ${window}`,
  );
  return [`  ${key}`, plan === '' ? '-' : plan, rates.length === 0 ? 'none' : rates.join(', ')];
}

/** `1,000,000`. `toLocaleString` loads the data of all locales first. */
function groupDigits(count: number): string {
  return `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function renderCurl({ contract, keys }: Mock, url: string, program: string): readonly string[] {
  const operation =
    contract.resources[0]?.list ??
    contract.operations.find(({ method, path }) => method === 'GET' && !path.includes('{'));
  if (operation === undefined || operation.path.includes('{')) return [];
  return [`  ${curl(operation, keys[0]?.key ?? '', url, program)}`, ''];
}

function curl({ credential, path }: Operation, key: string, url: string, program: string): string {
  const address = url + path;
  const field = renderCredential(credential, key);
  if (field === undefined) return `${program} '${address}'`;
  const { in: place, name, value } = field;
  if (place === 'query') return `${program} '${address}?${encodeURIComponent(name)}=${value}'`;
  return place === 'header'
    ? `${program} -H '${name}: ${value}' '${address}'`
    : `${program} -b '${name}=${value}' '${address}'`;
}
