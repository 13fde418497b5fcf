import { isRecord } from '../document/json.ts';

const telling = /^(message|detail|details|title|description|error|errors|reason)$/i;
const mostWords = 10;

/** The first words of what a response body says, names and numbers left out. */
export function refusalWords(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return firstWords(sentenceIn(body) ?? text);
  } catch {
    const sentence = /"(?:message|detail|title)":"((?:[^"\\]|\\.)*)/.exec(text)?.[1];
    return firstWords(sentence ?? text);
  }
}

/** So that like sentences are alike. */
export function firstWords(sentence: string): string {
  return sentence
    .replaceAll(/"[^"]*"?|'[^']*'|`[^`]*`/g, '"…"')
    .replaceAll(/(?:#|https?:\/)?\/[^\s,;:]+/g, '/…')
    .replaceAll(/\d+/g, 'N')
    .trim()
    .split(/\s+/)
    .slice(0, mostWords)
    .join(' ');
}

/** The first text of a telling member, the outer ones first. */
function sentenceIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return body.map(sentenceIn).find((text) => text !== undefined);
  if (!isRecord(body)) return undefined;
  const told = Object.entries(body).filter(([name]) => telling.test(name));
  const direct = told.map(([, value]) => value).find((value) => typeof value === 'string');
  if (typeof direct === 'string') return direct;
  return told.map(([, value]) => sentenceIn(value)).find((text) => text !== undefined);
}
