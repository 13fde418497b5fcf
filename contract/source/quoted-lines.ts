/** A member whose value begins with a quote: its indent, its quote and the text after that. */
const quotedMember = /^(\s*(?:- +)*)[^\s#'"[{][^:]*:\s+(["'])(.*)$/;

/** A member whose value is a block of lines, which may hold anything. */
const blockMember = /^(\s*(?:- +)*)(?:[^\s#].*:\s+|- +)[|>][-+\d]*\s*(?:#.*)?$/;

/**
 * A YAML text in which the further lines of quoted texts are indented below their members, as YAML
 * wants and many writers forget; and the numbers of the lines that were not.
 */
export function indentQuotedLines(text: string): {
  readonly text: string;
  readonly lines: readonly number[];
} {
  const lines = text.split('\n');
  const repaired: number[] = [];
  const unclosed = new Set<string>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const block = blockMember.exec(line);
    if (block !== null) index = endOfBlock(lines, index, block[1]?.length ?? 0);
    const [, indent = '', quote = '', rest = ''] =
      block === null ? (quotedMember.exec(line) ?? []) : [];
    if (quote === '' || unclosed.has(quote) || closes(rest, quote)) continue;
    let end = index + 1;
    while (end < lines.length && !closes(lines[end] ?? '', quote)) end += 1;
    if (end === lines.length) {
      // No line after this one has such a quote either, so each is read once.
      unclosed.add(quote);
      continue;
    }
    const further = lines.slice(index + 1, end + 1);
    if (further.some((one) => one.trim() !== '' && indentOf(one) <= indent.length)) {
      repaired.push(index + 1);
      for (let at = index + 1; at <= end; at += 1)
        lines[at] = ' '.repeat(indent.length + 2) + (lines[at] ?? '');
    }
    index = end;
  }
  return { text: lines.join('\n'), lines: repaired };
}

/** The last line of a block that begins below a member. */
function endOfBlock(lines: readonly string[], start: number, indent: number): number {
  let end = start;
  while (end + 1 < lines.length) {
    const next = lines[end + 1] ?? '';
    if (next.trim() !== '' && indentOf(next) <= indent) break;
    end += 1;
  }
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether a text that is within quotes has the quote that ends them. */
function closes(text: string, quote: string): boolean {
  const plain = quote === '"' ? text.replaceAll(/\\./g, '') : text.replaceAll("''", '');
  return plain.includes(quote);
}
