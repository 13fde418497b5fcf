import { type JsonValue, isJsonArray, isJsonObject } from '../../contract/index.ts';
import { readTexts, readValue } from './argument.ts';
import { type Entry, type Evidence, isSuccess, readJson } from './evidence.ts';
import { type RuleFinding, failed } from './rule.ts';

/** Integers that a client got come back to the digit, also where no double holds them. */
export function* judgeIntegers({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/integer.exact';
  if (log.source === 'journal')
    return yield { kind: 'not-tested', rule, reason: 'a journal keeps no responses' };
  if (contract.resources.length === 0) return;
  const gotIn = new Map<string, Map<bigint, Entry>>();
  for (const entry of entries) {
    const got = gotIn.get(entry.intent.scenario) ?? new Map<bigint, Entry>();
    gotIn.set(entry.intent.scenario, got);
    const known = [...got];
    for (const sent of listSent(entry)) {
      if (known.some(([integer]) => integer === sent))
        yield { kind: 'passed', rule, exchange: entry.index };
      const [exact, from] = known.some(([integer]) => integer === sent)
        ? []
        : (known.find(([integer]) => isRounded(sent, integer)) ?? []);
      if (exact !== undefined && from !== undefined) {
        const expected = String(exact);
        const received = String(sent);
        yield failed(rule, entry.index, [from.index], { expected, received });
      }
    }
    for (const integer of isSuccess(entry) ? listLarge(readJson(entry.response?.body)) : [])
      if (!got.has(integer)) got.set(integer, entry);
  }
}

/** The large integers of a request, in path, query and body. */
function listSent(entry: Entry): readonly bigint[] {
  const {
    operation,
    request: { body },
  } = entry;
  const values =
    operation?.parameters.map(
      (parameter) =>
        readSent(readTexts(entry, operation, parameter)) ??
        readValue(readTexts(entry, operation, parameter), parameter),
    ) ?? [];
  return [...values, readJson(body)].flatMap(listLarge);
}

/** A text that is a number in any form, such as `9.007199254740992e15`, a rounded integer. */
function readSent([text, ...more]: readonly string[]): JsonValue | undefined {
  const value = more.length === 0 ? readJson(text) : undefined;
  return typeof value === 'bigint' ? value : undefined;
}

function listLarge(value: JsonValue | undefined): readonly bigint[] {
  if (typeof value === 'bigint') return [value];
  if (isJsonArray(value)) return value.flatMap(listLarge);
  return isJsonObject(value) ? Object.values(value).flatMap(listLarge) : [];
}

/** Digits that languages print of a double when they are not told how many. */
const precisions = [6, 12, 14, 15, 16, 17];

/** Whether rounding makes it of an integer: the same double, nearest single, or fewer digits. */
function isRounded(number: bigint, integer: bigint): boolean {
  const [rounded, double] = [Number(number), Number(integer)];
  return (
    rounded === double ||
    rounded === Math.fround(double) ||
    precisions.some((digits) => rounded === Number(double.toPrecision(digits)))
  );
}
