import type { Requirement } from '../../conformance/index.ts';

/** What was expected of one field of an exchange, and what was received there. */
export interface Contrast {
  /** `status`, a header, or a member or pointer of a body; undefined where no one field differs. */
  readonly field: string | undefined;
  readonly expected: Side;
  readonly received: Side;
}

export interface Side {
  /** What is said of the field, without its name. */
  readonly text: string;
  /** The value that `text` begins with and that differs; empty for none. */
  readonly value: string;
}

/** Takes the field out of what was expected and received. Texts are in one line. */
export function readContrast(
  { subject }: Pick<Requirement, 'subject'>,
  expected: string,
  received: string,
): Contrast {
  const statuses = readStatuses(expected, received);
  if (statuses !== undefined) return statuses;
  const members = [expected, received].map((text) => /^`([^`]+)` (.*)$/s.exec(text));
  const [[, name, wanted] = [], [, other, found] = []] = members.map((match) => match ?? []);
  if (name !== undefined && name === other) return contrast(name, wanted, found);
  if (subject.kind === 'header')
    return contrast(subject.name, withoutName(expected, subject.name), received);
  if (subject.kind === 'body') {
    const [, pointer, message] = /^(the body|\/\S*) (.*)$/s.exec(expected) ?? [];
    if (pointer !== undefined) return contrast(pointer, message, withoutResponse(received));
    if (subject.part === 'content-type') return contrast('Content-Type', expected, received);
  }
  return contrast(undefined, expected, received);
}

function contrast(field: string | undefined, expected = '', received = ''): Contrast {
  const values = [expected, received].map((text) => (field === undefined ? '' : literalOf(text)));
  const [one = '', other = ''] = values[0] === values[1] ? [] : values;
  return {
    field,
    expected: { text: expected, value: one },
    received: { text: received, value: other },
  };
}

/** Where both begin with a status, that is what differs; where it does not, the rest does. */
function readStatuses(expected: string, received: string): Contrast | undefined {
  const [wanted, found] = [expected, received].map((text) => /^\d{3}(?![\w.])/.exec(text)?.[0]);
  if (found === undefined || (wanted === undefined && expected !== 'any response below 500'))
    return undefined;
  const differs = wanted !== found;
  return {
    field: differs ? 'status' : undefined,
    expected: { text: expected, value: differs ? (wanted ?? '') : '' },
    received: { text: received, value: differs ? found : '' },
  };
}

/** The JSON scalar that a text begins with, as a whole. */
function literalOf(text: string): string {
  return (
    /^(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=$|[\s,])/.exec(
      text,
    )?.[0] ?? ''
  );
}

function withoutName(text: string, name: string): string {
  return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}

/** `"Max" in 200 {...}` without the response that it was in. */
function withoutResponse(text: string): string {
  return /^(.*?) in \d{3} /s.exec(text)?.[1] ?? text;
}
