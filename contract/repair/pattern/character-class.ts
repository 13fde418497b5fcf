import { escapeMembers, posixMembers } from './escape.ts';

/** A character class at the start of a text. `isAnyCase`: a letter stands for both its cases. */
export function translateClass(
  rest: string,
  isAnyCase: boolean,
): { readonly text: string; readonly length: number } {
  const [open = '['] = /^\[\^?/.exec(rest) ?? [];
  let output = open;
  let offset = open.length;
  // A bracket that closes nothing yet is a member.
  if (rest[offset] === ']' && rest.indexOf(']', offset + 1) > 0) {
    output += String.raw`\]`;
    offset += 1;
  }
  while (offset < rest.length && rest[offset] !== ']') {
    const first = readMember(rest.slice(offset));
    const last = first.isSet ? undefined : readRangeEnd(rest.slice(offset + first.length));
    output +=
      last === undefined ? renderMember(first, isAnyCase) : renderRange(first, last, isAnyCase);
    offset += first.length + (last === undefined ? 0 : 1 + last.length);
  }
  return { text: `${output}]`, length: Math.min(offset + 1, rest.length) };
}

/** The member after a dash, where the two make a range. */
function readRangeEnd(rest: string): Member | undefined {
  if (!/^-[^\]]/.test(rest)) return undefined;
  const member = readMember(rest.slice(1));
  return member.isSet ? undefined : member;
}

function renderMember({ text, isSet }: Member, isAnyCase: boolean): string {
  if (text === '-') return String.raw`\-`;
  return isAnyCase && !isSet ? bothCases(text) : text;
}

function renderRange(first: Member, last: Member, isAnyCase: boolean): string {
  const range = `${first.text}-${last.text}`;
  if (!isAnyCase || !/^(?:[a-z]-[a-z]|[A-Z]-[A-Z])$/.test(range)) return range;
  return range.toLowerCase() + range.toUpperCase();
}

interface Member {
  readonly text: string;
  readonly length: number;
  readonly isSet: boolean;
}

function readMember(rest: string): Member {
  const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
  const members = posix?.[1] === '' ? posixMembers(posix[2] ?? '') : undefined;
  if (posix !== null && members !== undefined)
    return { text: members, length: posix[0].length, isSet: true };
  if (rest.startsWith('\\')) {
    const escape = escapeMembers(rest);
    return { text: escape.members, length: escape.length, isSet: beginsSet(rest) };
  }
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return { text: character, length: character.length, isSet: false };
}

/** Whether several characters stand here as one member: `\d`, `[:alpha:]`. */
function beginsSet(rest: string): boolean {
  return /^(?:\\[dDwWsSpPhRNic]|\[:)/.test(rest);
}

function bothCases(text: string): string {
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  return text.length === 1 && lower !== upper ? lower + upper : text;
}
