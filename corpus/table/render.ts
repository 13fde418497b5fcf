import type { TextTable } from './cells.ts';

/** For a terminal: columns as wide as their widest cell, those of numbers to the right. */
export function renderText({ head, rows }: TextTable): string {
  const columns = head.map((name, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    const width = Math.max(...[name, ...cells].map(({ length }) => length));
    return { width, isNumber: cells.every((cell) => /^(?:\d|none|$)/.test(cell)) };
  });
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ width, isNumber }, column) => {
        const cell = cells[column] ?? '';
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}

/** GitHub Flavored Markdown. */
export function renderMarkdown({ head, rows }: TextTable): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map(markdownLine).join('\n');
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
