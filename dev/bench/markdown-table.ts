/** A Markdown table (GitHub Flavored, section 4.10): a first column of text, others of numbers. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Puts a text between the two markers of a page. Throws where the page lacks them. */
export function replaceBetweenMarkers(page: string, text: string): string {
  const [start, end] = [page.indexOf(startMarker), page.indexOf(endMarker)];
  if (start < 0 || end < start) throw new Error(`The page needs ${startMarker} and ${endMarker}.`);
  return `${page.slice(0, start + startMarker.length)}\n\n${text}\n\n${page.slice(end)}`;
}

const startMarker = '<!-- bench:start -->';
const endMarker = '<!-- bench:end -->';
