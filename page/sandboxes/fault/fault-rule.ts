import type { FaultRule } from '../../session/types.ts';

/** A rule, or the field that is wrong and why. */
export type RuleResult =
  | { readonly rule: FaultRule }
  | { readonly field: string; readonly message: string };

/** What the whole numbers of the form may be, and what they are called there. */
const wholes = {
  status: ['The status', 400, 599],
  retryAfter: ['Retry-After', 0, undefined],
  count: ['The number of requests', 1, undefined],
  from: ['The shortest delay', 0, 600_000],
  to: ['The longest delay', 0, 600_000],
  bytes: ['The bytes of a piece', 1, undefined],
  milliseconds: ['The pause between pieces', 0, 60_000],
  seed: ['The seed', 0, undefined],
} as const;

/** The rule that a form asks for. An empty field asks for nothing; bounds are those of the mock. */
export function readRule(fields: ReadonlyMap<string, string>): RuleResult {
  const numbers = new Map<string, number>();
  for (const [field, [name, least, most]] of Object.entries(wholes)) {
    const text = fields.get(field) ?? '';
    if (text === '') continue;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= (most ?? Number.MAX_SAFE_INTEGER)))
      return { field, message: `${name} is a whole number ${renderBounds(least, most)}.` };
    numbers.set(field, number);
  }
  const percent = fields.get('percent') ?? '';
  const share = Number(percent);
  if (percent !== '' && !(share > 0 && share <= 100))
    return { field: 'percent', message: 'The share is above 0 and at most 100 percent.' };
  const { from = numbers.get('to'), to = numbers.get('from') } = Object.fromEntries(numbers);
  if (from !== undefined && to !== undefined && from > to)
    return { field: 'to', message: 'The longest delay is at least the shortest.' };
  const missing = missingHalf(numbers);
  if (missing !== undefined) return missing;
  const rule = composeRule(fields, numbers, from, to);
  const hasEffect = effects.some((effect) => rule[effect] !== undefined);
  return hasEffect ? { rule } : { field: 'status', message: 'Say what is to happen.' };
}

const effects = ['status', 'delay', 'connection', 'body', 'drip'] as const;

function composeRule(
  fields: ReadonlyMap<string, string>,
  numbers: ReadonlyMap<string, number>,
  from: number | undefined,
  to: number | undefined,
): FaultRule {
  const rule: { -readonly [Member in keyof FaultRule]: FaultRule[Member] } = {};
  const operation = fields.get('operation') ?? '';
  if (operation !== '') rule.operation = operation;
  for (const name of ['status', 'retryAfter', 'count', 'seed'] as const) {
    const number = numbers.get(name);
    if (number !== undefined) rule[name] = number;
  }
  if ((fields.get('percent') ?? '') !== '') rule.probability = Number(fields.get('percent')) / 100;
  if (from !== undefined && to !== undefined) rule.delay = { from, to };
  const connection = fields.get('connection');
  if (connection === 'reset' || connection === 'silence') rule.connection = connection;
  const body = fields.get('body');
  if (body === 'truncated' || body === 'malformed') rule.body = body;
  const [bytes, milliseconds] = [numbers.get('bytes'), numbers.get('milliseconds')];
  if (bytes !== undefined && milliseconds !== undefined) rule.drip = { bytes, milliseconds };
  return rule;
}

/** Pieces have a size and a pause; a Retry-After goes with a status. */
function missingHalf(numbers: ReadonlyMap<string, number>): RuleResult | undefined {
  if (numbers.has('bytes') && !numbers.has('milliseconds'))
    return { field: 'milliseconds', message: 'Give the pause between the pieces.' };
  if (numbers.has('milliseconds') && !numbers.has('bytes'))
    return { field: 'bytes', message: 'Give the bytes of a piece.' };
  if (numbers.has('retryAfter') && !numbers.has('status'))
    return { field: 'status', message: 'Retry-After goes with a status.' };
  return undefined;
}

function renderBounds(least: number, most: number | undefined): string {
  return most === undefined ? `from ${least} on` : `from ${least} to ${most}`;
}
