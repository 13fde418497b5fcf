/** Whether a file, read as text, is a ZIP: Playwright writes `traffic.har.zip`. */
export function isZip(text: string): boolean {
  return text.startsWith('PK\u0003\u0004');
}

/** What to do about it, in a sentence. */
export function explainZip(file: string): string {
  return `${file} is a ZIP: unpack it, and name the .har in it; the files beside it are read too.`;
}
