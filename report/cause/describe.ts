import { renderJson, type JsonValue } from '../../contract/json/value.ts';
import { countOf } from '../../page/view/count.ts';
import { describeCredential, noResponseWords } from '../model/exchange-line.ts';
import type { CauseFact, CauseOutcome, Condition, Form } from './fact.ts';
import { valueWords } from './value-class.ts';

/**
 * A fact in a sentence.
 *
 * @param count exchanges of the fact
 * @param requirement what the requirement that carries the cause says
 */
export function describeFact(fact: CauseFact, count: number, requirement: string): string {
  const { kind, outcome, expected, received } = fact;
  const forRequests = describeRequests(fact, count, 'for ');
  const responses = countIn(fact, count, 'response');
  switch (kind) {
    case 'constant-response':
      return `${count === fact.of ? `All ${count}` : `${count} of ${fact.of}`} responses are ${received ?? ''}, whatever the request is.`;
    case 'constant-status':
      return `${count === fact.of ? `All ${count}` : `${count} of ${fact.of}`} ${fact.among.some((each) => each.kind === 'answered' && each.with === 'errors') ? 'error responses' : 'responses'} have the status ${statusOf(outcome)}, whatever is expected.`;
    case 'crash':
      return `${describeOperations(fact, 'returns', 'return')} ${describeResult(outcome)}${formIn(fact)} ${forRequests}.`;
    case 'foreign-response':
      return `${capitalise(responses)} look${count === 1 ? 's' : ''} like the output of a proxy or a framework, not of the service (${received ?? ''}): ${describeForm(fact.form)}${outcome.kind === 'foreign' && outcome.server !== '' ? `, Server ${outcome.server}` : ''}, without the rate-limit headers.`;
    case 'missing-header':
      return describeMissing(fact, count);
    case 'unheld-limit':
      return `The rate limit is not enforced: expected ${expected ?? ''}, received ${cutValue(received ?? '')}.`;
    case 'quota-header':
      return `${headerIn(fact)} is wrong: received ${cutValue(received ?? '')}, expected ${expected ?? ''}.`;
    case 'fixed-response':
      return `${describeOperations(fact, 'returns', 'return')} the same response whatever the request is, as from an example: ${responses}.`;
    case 'wrong-items':
      return `${describeOperations(fact, 'does', 'do')} not return the expected items: ${responses}.`;
    case 'altered-value':
      return describeAlteration(fact, count);
    case 'wrong-type':
      return `Values of the wrong type are accepted: ${received ?? ''} in ${countOf(count, 'request')}.`;
    case 'unchecked-key':
    case 'wrong-status':
    case 'refused-request':
      return outcome.kind === 'served'
        ? `${describeOperations(fact, 'accepts', 'accept')} ${describeRequests(fact, count)}.`
        : `${describeOperations(fact, 'returns', 'return')} ${describeResult(outcome)}${dueIn(fact)} ${forRequests}.`;
    case 'body':
      return `${capitalise(responses)} from ${listWords(fact.operations)} ${count === 1 ? 'differs' : 'differ'} from the document: ${expected ?? ''}.`;
    case 'requirement':
      return `Not true for ${countOf(count, 'request')}: ${requirement}`;
  }
}

/** The operations with their verb: `createPet fails`, `createPet and getPet fail`. */
function describeOperations({ operations }: CauseFact, one: string, many: string): string {
  return `${listWords(operations)} ${operations.length === 1 ? one : many}`;
}

/** `3 of 7 responses`, `all 3 responses`; the bare number where nothing else is counted. */
function countIn({ of }: CauseFact, count: number, noun: 'request' | 'response'): string {
  if (count !== of) return `${count} of ${countOf(of, noun)}`;
  return count === 1 ? `1 ${noun}` : `all ${count} ${noun}s`;
}

/** The requests in words: `for all 3 requests with limit=100, and for no other valid request`. */
function describeRequests(fact: CauseFact, count: number, preposition = ''): string {
  const { condition, of, elsewhere, others } = fact;
  const [scope, suffix] = scopeOf(fact);
  const requests = (number: string, isMany: boolean): string =>
    `${number} ${condition === undefined ? scope : ''}request${isMany ? 's' : ''}`;
  const some =
    of === 1
      ? requests('the only', false)
      : requests(count === of ? `all ${count}` : `${count} of ${of}`, true);
  if (condition === undefined) return `${preposition}${some}${suffix}`;
  const rest =
    elsewhere === 0
      ? `no other ${scope}request${suffix}`
      : `${elsewhere} of ${countOf(others, 'other request')}`;
  return `${preposition}${some} ${conditionWords(condition)}, and ${preposition}${rest}`;
}

/** What precedes and what follows the noun: `valid `, ` that should get 404`. */
function scopeOf({ among }: CauseFact): readonly [string, string] {
  for (const each of among)
    if (each.kind === 'due')
      return each.status < 300 ? ['valid ', ''] : ['', ` that should get ${each.status}`];
  return ['', ''];
}

function dueIn({ among }: CauseFact): string {
  const due = among.find((each) => each.kind === 'due');
  return due === undefined ? '' : ` instead of ${due.status}`;
}

function statusOf(outcome: CauseOutcome): string {
  return outcome.kind === 'status' ? String(outcome.status) : '';
}

function describeResult(outcome: CauseOutcome): string {
  if (outcome.kind !== 'no-response') return statusOf(outcome);
  const words = noResponseWords(outcome.reason);
  return words.startsWith('no response: ') ? `${words.replace(': ', ' (')})` : words;
}

function formIn({ form }: CauseFact): string {
  return form === undefined ? '' : ` (${describeForm(form)})`;
}

/** A body in a few words: `no body`, `an HTML page`, `JSON with detail`. */
function describeForm(form: Form | undefined): string {
  switch (form?.kind) {
    case undefined:
    case 'none':
      return 'no body';
    case 'object':
      return `JSON with ${form.members.map((name) => `\`${name}\``).join(', ') || 'no members'}`;
    case 'json':
      return 'JSON with another structure';
    case 'page':
      return form.title === '' ? 'an HTML page' : `the HTML page "${form.title}"`;
    case 'text':
      return form.mediaType === '' ? 'text' : `text with the type ${form.mediaType}`;
  }
}

function describeMissing({ among, outcome, of, operations }: CauseFact, count: number): string {
  const names = outcome.kind === 'lacks-headers' ? outcome.names : [];
  const [scope] = among.flatMap((each) => (each.kind === 'answered' ? [each.with] : []));
  const words =
    scope === 'any'
      ? 'responses'
      : scope === 'errors'
        ? 'error responses'
        : scope === 'successes'
          ? 'successful responses'
          : `responses with ${scope ?? ''}`;
  const places = operations.length === 0 ? words : `${words} from ${listWords(operations)}`;
  return count === of && count > 1
    ? `None of ${count} ${places} have ${listWords(names, 'or')}.`
    : `${count} of ${of} ${places} ${count === 1 ? 'has' : 'have'} no ${listWords(names, 'or')}.`;
}

/** The header that all of the exchanges have. */
function headerIn({ among }: CauseFact): string {
  return among.map((each) => (each.kind === 'has-header' ? each.name : '')).join('');
}

function describeAlteration({ alteration, of }: CauseFact, count: number): string {
  if (alteration === undefined) return '';
  const { members, words, sent, shown } = alteration;
  const names = listWords(members.map((name) => `\`${name}\``));
  return `${names} ${words}: ${count} of ${countOf(of, 'response')}, such as ${shown ?? 'nothing'} for ${sent ?? 'nothing'}.`;
}

/** A value for a sentence. */
export function renderValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value.slice(0, longest) : value;
  return cutValue(renderJson(text));
}

/** Characters of a text that are rendered before it is cut. */
const longest = 1000;

/** What sets requests apart, in words that follow them: `with limit=100`, `without a body`. */
function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'due':
      return condition.status === 404
        ? 'for an identifier that does not exist'
        : `that should get ${condition.status}`;
    case 'way':
      return `in which ${condition.way}`;
    case 'credential':
      return listWords(condition.uses.map(describeCredential), 'or');
    case 'header':
      return `with the header \`${condition.name}: ${cutValue(condition.value)}\``;
    case 'no-body':
      return 'without a body';
    case 'not-json':
      return 'with a body that is not JSON';
    case 'body':
      return `in which the body ${valueWords(condition.value)}`;
    case 'not-object':
      return 'with a body that is not an object';
    case 'member':
      return condition.value === 'missing'
        ? `without \`${condition.name}\``
        : `in which \`${condition.name}\` ${valueWords(condition.value)}`;
    case 'member-is':
      return `in which \`${condition.name}\` is "${condition.text}"`;
    case 'member-invalid':
      return `with an invalid \`${condition.name}\``;
    case 'further-member':
      return condition.name === undefined
        ? 'with an additional member'
        : `with the additional member \`${condition.name}\``;
    case 'only-members':
      return `with only ${condition.names.map((name) => `\`${name}\``).join(', ')} in the body`;
    case 'query':
      return `in which \`${condition.name}\` in the query ${valueWords(condition.value)}`;
    case 'query-is':
      return `with \`${condition.name}=${condition.text}\``;
    case 'query-has':
      return `with \`${condition.name}\` in the query`;
    case 'path':
      return `in which the identifier in the path ${valueWords(condition.value)}`;
    case 'same-time':
      return 'sent at the same time as others';
    case 'beyond':
      return 'sent with no requests remaining';
    case 'has-header':
      return `whose response has ${condition.name}`;
    case 'after':
      return `sent after request ${condition.exchange + 1}`;
    case 'answered':
      return `that get ${condition.with}`;
  }
}

/** The beginning of a sentence. */
function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Names in a sentence: `a`, `a and b`, `a, b and c`; each once. */
export function listWords(words: readonly string[], last = 'and'): string {
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return distinct.join('');
  return `${distinct.slice(0, -1).join(', ')} ${last} ${distinct.at(-1) ?? ''}`;
}

/** A value for a sentence, cut where it is long. */
export function cutValue(text: string): string {
  const [most, kept] = [60, 50];
  return text.length <= most ? text : `${text.slice(0, kept)}…`;
}
