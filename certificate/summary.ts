import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../contract/json/value.ts';
import type { Report } from '../conformance/index.ts';
import { type Level, settleLevel } from './level.ts';

export const levelSentences: Readonly<Record<Level, string>> = {
  conforms:
    'Nothing failed, and every requirement that applies passed, or is covered by a waiver in force.',
  failed: 'At least one requirement failed.',
  incomplete: 'Nothing failed, but not every requirement that applies was tested.',
};

/** The level in a few words, with the number of waivers. */
export function describeLevel(report: Report): string {
  const [level, count] = [settleLevel(report), report.waivers.length];
  if (count === 0) return level;
  return `${level}, with ${count === 1 ? '1 waiver' : `${count} waivers`}`;
}

/** What a certificate is called that no signature shows to be of anybody. */
export const unauthenticated = 'not authenticated';

/** What a certificate is about. */
export function subjectOf({ client }: Pick<Report, 'client'>): 'server' | 'client' {
  return client === undefined ? 'server' : 'client';
}

/** What no certificate can show, whoever signed it. */
export function describeLimits(report: Report): string {
  const [seen, subject] =
    report.client === undefined ? ['responses', 'target'] : ['requests', 'client'];
  return `That the ${seen} in the log came from the ${subject} is vouched for only by the signers. Another run can confirm it. What passed did so with the ${seen} of this run; other ${seen} may differ.`;
}

/** Settings that are shown in another place. */
const shownElsewhere = new Set([
  'baseUrl',
  'waivers',
  'startedAt',
  'endedAt',
  'clockMoved',
  'from',
  'to',
]);

/**
 * Settings for people: plain values as they are, of things that have an id their ids, any others as
 * JSON. Empty ones are left out.
 */
export function listSettings(
  settings: JsonObject,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(settings)
    .filter(([name]) => !shownElsewhere.has(name))
    .map(([name, value = null]) => [name, showSetting(value)] as const)
    .filter(([, text]) => !['null', '[]', '{}', ''].includes(text));
}

function showSetting(value: JsonValue): string {
  const text = typeof value === 'string' ? value : (idsIn(value) ?? renderJson(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function idsIn(value: JsonValue): string | undefined {
  if (!isJsonArray(value) || value.length === 0) return undefined;
  const ids = value.map((each) => (isJsonObject(each) ? each['id'] : undefined));
  return ids.every((id) => typeof id === 'string') ? ids.join(', ') : undefined;
}
