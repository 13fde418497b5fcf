import {
  type Entry,
  type Evidence,
  isLost,
  isSameRequest,
  knowledgeOf,
  knows,
  nameRequest,
} from './evidence.ts';
import { type RuleFinding, doubtful, failed } from './rule.ts';
import { limits } from './limits.ts';

/** What was answered 400 is not sent again. */
export function* judgeRefusedAgain({ entries }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.refused-again';
  for (const [at, entry] of entries.entries()) {
    if (entry.response?.status !== 400 || !entry.intent.isWhole) continue;
    const alike = entries
      .slice(at + 1)
      .filter((later) => isOfSameClient(later, entry) && isSameRequest(later, entry));
    const again = alike.find((later) => knows(later, entry));
    const soon = alike.find((later) => knowledgeOf(later, entry) === 'doubtful');
    if (again === undefined && soon !== undefined) yield doubtful(rule, soon.index, [entry.index]);
    else if (again === undefined) yield { kind: 'passed', rule, exchange: entry.index };
    else {
      const expected = 'another request, or none';
      const received = `${nameRequest(again)} again, unchanged`;
      yield failed(rule, again.index, [entry.index], { expected, received });
    }
  }
}

/** What may have been done is not blindly repeated (RFC 9110 section 9.2.2). */
export function* judgeRepeated({ entries }: Evidence): Generator<RuleFinding> {
  const rule = 'client/request.repeated';
  const counted = new Set<Entry>();
  for (const [at, entry] of entries.entries()) {
    const { method } = entry.request;
    if (!['POST', 'PATCH'].includes(method) || !isLost(entry) || counted.has(entry)) continue;
    const later = entries.slice(at + 1).filter((each) => isOfSameClient(each, entry));
    const look = later.findIndex(({ request }) => request.method === 'GET');
    const again = later
      .slice(0, look === -1 ? undefined : look)
      .filter((each) => isSameRequest(each, entry));
    for (const each of again) counted.add(each);
    const last = again.at(-1);
    if (again.length <= limits.repeats || last === undefined)
      yield { kind: 'passed', rule, exchange: last?.index ?? entry.index };
    else {
      const expected = `at most ${limits.repeats} repetition before a GET that shows what happened`;
      const received = `${again.length} repetitions of ${nameRequest(entry)}`;
      yield failed(rule, last.index, [entry.index], { expected, received });
    }
  }
}

function isOfSameClient(a: Entry, b: Entry): boolean {
  return a.intent.scenario === b.intent.scenario && a.intent.key === b.intent.key;
}
