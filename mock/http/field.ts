/** Characters of a header that lists what the document has: header names, ways to authenticate. */
export const mostHeaderList = 2304;

/** A text as a header line can carry it: visible characters of Latin-1, spaces and tabs. */
export function fieldText(text: string): string {
  return /[^\t\x20-\x7E\x80-\xFF]/.test(text)
    ? text.replace(/[\r\n]+/g, ' ').replace(/[^\t\x20-\x7E\x80-\xFF]/g, '?')
    : text;
}

/**
 * The members of a list, separated by commas outside quotes (RFC 9110 section 5.6.1);
 * empty ones are left out. Reads each character once, also where quotes are left open.
 */
export function splitList(text: string): readonly string[] {
  const members: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      members.push(text.slice(from, at));
      from = at + 1;
    }
  }
  members.push(text.slice(from));
  return members.filter((member) => member !== '');
}

/** A list as one value of a header that leaves the others their room, as clients bound all together. */
export function joinWithin(items: readonly string[]): string {
  let text = '';
  for (const item of items) {
    const longer = text === '' ? item : `${text}, ${item}`;
    if (longer.length <= mostHeaderList) text = longer;
  }
  return text;
}
