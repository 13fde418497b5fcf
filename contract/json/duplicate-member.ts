import { endOfString, isName } from './syntax.ts';

/** The first name that an object of a JSON text has twice (RFC 8259 section 4). No recursion. */
export function findDuplicateMember(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const names = isName(text, end) ? open.at(-1) : undefined;
      // Two spellings of one name, as "a" and "\u0061", are one name.
      const name = names === undefined ? '' : readName(text.slice(at, end + 1));
      if (names?.has(name) === true) return name;
      names?.add(name);
      at = end;
    }
  }
  return undefined;
}

function readName(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
