import type { TextTable } from './cells.ts';

/** For a terminal: columns as wide as their widest cell, numbers to the right. */
export function renderText({ head, rows }: TextTable): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return lines.map(line).join('\n');
}

/** GitHub Flavored Markdown. */
export function renderMarkdown({ head, rows }: TextTable): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map(markdownLine).join('\n');
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
