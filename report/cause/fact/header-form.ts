import { largest } from '../../../contract/index.ts';
import type { Log } from '../log/reading.ts';

type Form = readonly [words: string, test: (text: string, longest: number) => boolean];

function isWithin(text: string, least: number, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}

/** What a value of Reset may look like that is no Unix time in seconds. */
const forms = {
  empty: ['is empty', (text) => text === ''],
  'seconds-to-go': [
    'looks like remaining seconds, not a timestamp,',
    (text, longest) => isWithin(text, 0, longest),
  ],
  milliseconds: ['looks like milliseconds, not seconds,', (text) => isWithin(text, 1e12, 1e14)],
  nanoseconds: ['looks like nanoseconds, not seconds,', (text) => isWithin(text, 1e17, 1e20)],
  fractions: ['has fractions of a second', (text) => /^\d{9,11}\.\d+$/.test(text)],
  iso: ['is an ISO 8601 date, not a Unix time,', (text) => /^\d{4}-\d\d-\d\d/.test(text)],
  date: ['is a text date, not a Unix time,', (text) => /^[A-Z][a-z]{2},? /.test(text)],
} as const satisfies Readonly<Record<string, Form>>;

const known = new Map<string, Form>(Object.entries(forms));

export function formWords(form: string): string {
  return known.get(form)?.[0] ?? form;
}

export function hasForm(form: string, value: string, { contract }: Log): boolean {
  const windows = contract.rateLimit?.windows.map(({ seconds }) => seconds) ?? [];
  return known.get(form)?.[1](value, largest(windows, 86_400)) ?? false;
}

/** The form that all values have. */
export function formOf(values: readonly string[], log: Log): string | undefined {
  if (values.length === 0) return undefined;
  return [...known.keys()].find((form) => values.every((value) => hasForm(form, value, log)));
}
