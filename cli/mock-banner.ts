import type { Contract, Operation } from '../contract/index.ts';
import type { Mock, MockKey } from '../mock/index.ts';

/** What `petstore mock` prints when it is ready: base URL, keys with their limits, and a curl line to paste. */
export function renderBanner(mock: Mock, url: string): string {
  const { contract, keys } = mock;
  return [
    `${contract.title} ${contract.version} (${contract.source}) is mocked at ${url}`,
    '',
    ...renderTable([['Key', 'Plan', 'Limits'], ...keys.map(keyRow)]).map((line) => `  ${line}`),
    '',
    ...renderCurl(contract, keys, url),
  ].join('\n');
}

function keyRow({ key, plan, limits }: MockKey): readonly string[] {
  const rates = limits.map(({ window, limit }) => `${limit.toLocaleString('en')} a ${window}`);
  return [key, plan === '' ? '-' : plan, rates.length === 0 ? 'none' : rates.join(', ')];
}

function renderTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd());
}

function renderCurl(contract: Contract, keys: readonly MockKey[], url: string): readonly string[] {
  const operation = contract.resources[0]?.list ?? contract.operations.find(({ method, path }) => method === 'GET' && !path.includes('{'));
  if (operation === undefined || operation.path.includes('{')) return [];
  return [`  ${curl(operation, keys[0]?.key ?? '', url)}`, ''];
}

function curl({ credential, path }: Operation, key: string, url: string): string {
  const address = url + path;
  switch (credential.kind) {
    case 'none': return `curl -i '${address}'`;
    case 'bearer': return `curl -i -H 'Authorization: Bearer ${key}' '${address}'`;
    case 'api-key':
    default: return curlWithApiKey(credential.in, credential.name, key, address);
  }
}

function curlWithApiKey(place: 'header' | 'query' | 'cookie', name: string, key: string, address: string): string {
  switch (place) {
    case 'header': return `curl -i -H '${name}: ${key}' '${address}'`;
    case 'query': return `curl -i '${address}?${encodeURIComponent(name)}=${key}'`;
    case 'cookie':
    default: return `curl -i -b '${name}=${key}' '${address}'`;
  }
}
