import type { Limit } from '../../contract/limits/index.ts';

/** A heading and the limits that stand under it. */
export interface LimitTable {
  readonly title: string;
  readonly limits: Readonly<Record<string, Limit>>;
}

/** docs/limits.md with new tables, of the limits that users can meet; the text before them stays. */
export function renderLimitsDocument(document: string, tables: readonly LimitTable[]): string {
  const start = document.indexOf(marker);
  if (start === -1) throw new Error(`docs/limits.md lacks its marker: ${marker}`);
  const head = document.slice(0, start + marker.length);
  return `${head}\n${tables.map(renderTable).join('')}`;
}

const marker = '<!-- What follows is made from contract/limits/ with `npm run record`. -->';

function renderTable({ title, limits }: LimitTable): string {
  const rows = Object.values(limits)
    .filter(({ over }) => over !== undefined)
    .map(
      ({ most, unit, what, over, flag }) =>
        `| ${what} | ${renderAmount(most, unit)} | ${flag === undefined ? '' : `\`${flag}\``} | ${over} |\n`,
    );
  return `\n## ${title}\n\n| What | At most | Flag | Beyond it |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

function renderAmount(most: number, unit: Limit['unit']): string {
  if (unit === 'count') return most.toLocaleString('en');
  if (unit === 'percent') return `${most} %`;
  if (unit === 'milliseconds') return most < 1000 ? `${most} ms` : `${most / 1000} s`;
  if (unit !== 'bytes' || most < 1024) return `${most.toLocaleString('en')} ${unit}`;
  const mebibytes = most / 1024 ** 2;
  return mebibytes >= 1 ? `${mebibytes} MiB` : `${most / 1024} KiB`;
}
