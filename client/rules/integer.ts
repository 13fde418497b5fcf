import { type JsonValue, isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import { readTexts, readValue } from './argument.ts';
import { type Entry, type Evidence, isSuccess, readJson } from './evidence.ts';
import { type RuleFinding, failed, notTested } from './rule.ts';

/** Integers that a client got come back to the digit, also where no double holds them. */
export function* judgeIntegers({ contract, entries, log }: Evidence): Generator<RuleFinding> {
  const rule = 'client/integer.exact';
  if (log.source === 'journal') return yield notTested(rule, 'a journal does not store responses');
  if (contract.resources.length === 0) return;
  const gotIn = new Map<string, Map<bigint, Entry>>();
  for (const entry of entries) {
    const got = gotIn.get(entry.intent.scenario) ?? new Map<bigint, Entry>();
    gotIn.set(entry.intent.scenario, got);
    for (const sent of listSent(entry)) {
      const [exact, from] = [...got].find(([integer]) => isRounded(sent, integer)) ?? [];
      if (got.has(sent)) yield { kind: 'passed', rule, exchange: entry.index };
      else if (from !== undefined) {
        const contrast = { expected: String(exact), received: String(sent) };
        yield failed(rule, entry.index, [from.index], contrast);
      }
    }
    for (const integer of isSuccess(entry) ? listLarge(readJson(entry.response?.body)) : [])
      if (!got.has(integer)) got.set(integer, entry);
  }
}

/** The large integers of a request, in path, query and body. */
function listSent(entry: Entry): readonly bigint[] {
  const parameters = entry.operation?.parameters ?? [];
  const values = parameters.map((parameter) => {
    const texts = readTexts(entry, parameter);
    return readSent(texts) ?? readValue(texts, parameter);
  });
  return [...values, readJson(entry.request.body)].flatMap(listLarge);
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

/** Digits that languages print of a double by default. */
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
