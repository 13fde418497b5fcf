import { renderJson, type JsonValue } from '../../../contract/index.ts';
import { type CredentialUse, describeUse } from '../../../conformance/index.ts';
import { countOf } from '../../../view/count.ts';
import { showLine } from '../../../view/visible.ts';
import { noResponseWords } from '../../model/exchange-line.ts';
import type { CauseFact, CauseOutcome, Condition, Form } from '../codec/fact.ts';
import { formWords } from './header-form.ts';
import { valueWords } from './value-class.ts';
import { cutValue, listWords } from './words.ts';

/**
 * A fact in a sentence.
 *
 * @param count exchanges of the fact
 * @param requirement what the requirement that carries the cause says
 */
export function describeFact(fact: CauseFact, count: number, requirement: string): string {
  const { kind, outcome, expected, received } = fact;
  const requests = tellRequests(fact, count);
  const responses = countIn(fact, count, 'response');
  const such = received === undefined ? '' : `, such as ${quote(received)}`;
  switch (kind) {
    case 'constant-response':
      return `${count === fact.of ? `All ${count}` : `${count} of ${fact.of}`} responses are ${received ?? ''}: whatever is sent, the same.`;
    case 'constant-status':
      return `${count === fact.of ? `All ${count}` : `${count} of ${fact.of}`} ${fact.among.some((each) => each.kind === 'answered' && each.with === 'errors') ? 'refusals' : 'responses'} have the status ${statusOf(outcome)}, whatever is due.`;
    case 'crash':
      return `${tell(fact, 'gives', 'give')} ${tellOutcome(outcome)}${formIn(fact)} to ${requests}.`;
    case 'broken-by-item':
      return tellBroken(fact, count);
    case 'foreign-response':
      return `${responses} look${count === 1 ? 's' : ''} like a proxy's or a framework's own, not the service's (${received ?? ''}): ${describeForm(fact.form)}${outcome.kind === 'foreign' && outcome.server !== '' ? `, Server ${outcome.server}` : ''}, without the rate-limit headers.`;
    case 'missing-header':
      return tellMissing(fact, count);
    case 'unheld-limit':
      return `The limit is not held: ${count} of ${countOf(fact.of, 'request')} ${fact.among.some((each) => each.kind === 'window') ? 'of one window' : 'sent with nothing left'} ${count === 1 ? 'was' : 'were'} served, expected ${expected ?? ''}.`;
    case 'quota-header':
      return tellQuota(fact, count);
    case 'fixed-response':
      return `${tell(fact, 'answers', 'answer')} the same whatever is sent, as from an example: ${responses}.`;
    case 'rounded-identifier':
      return `Identifiers pass through a double, which rounds integers beyond 2^53${such}: ${countOf(count, 'response')}.`;
    case 'shared-identifier':
      return `${tell(fact, 'gives', 'give')} items identifiers that are not their own${such}: ${responses}.`;
    case 'concurrent-requests':
      return `Requests at the same time get in each other's way: ${responses} ${count === 1 ? 'is' : 'are'} wrong.`;
    case 'other-item':
      return `${tell(fact, 'does', 'do')} not show the item asked for: ${responses}.`;
    case 'incomplete-list':
      return `${tell(fact, 'shows', 'show')} other items than it has to: ${responses}.`;
    case 'altered-value':
      return tellAlteration(fact, count);
    case 'coerced-type':
      return `Values of a wrong type are converted, not refused: ${received ?? ''} in ${countOf(count, 'request')}.`;
    case 'unchecked-key':
    case 'wrong-status':
    case 'refused-request':
      return outcome.kind === 'served'
        ? `${tell(fact, 'serves', 'serve')} ${requests}.`
        : `${tell(fact, 'answers', 'answer')} ${tellOutcome(outcome)}${dueIn(fact)} to ${requests}.`;
    case 'body':
      return `${responses} of ${listWords(fact.operations)} ${count === 1 ? 'is' : 'are'} not of the documented form: ${expected ?? ''}.`;
    case 'requirement':
      return `${countOf(count, 'request')} ${count === 1 ? 'shows' : 'show'} the contrary of this: ${requirement}`;
  }
}

/** `listPets gives 500 to all 3 requests since request 57 added an item, and to none of 9 before.` */
function tellBroken(fact: CauseFact, count: number): string {
  const { items = [], of, elsewhere, others, outcome, received } = fact;
  const numbers = items.map((index) => String(index + 1));
  const which = `${numbers.length === 1 ? 'request' : 'one of the requests'} ${listWords(numbers)}`;
  const item = received === undefined ? '' : ` (${cutValue(received)})`;
  const words = outcome.kind === 'status' ? `gives ${outcome.status}` : 'cannot be read';
  const since = count === of ? `all ${countOf(of, 'request')}` : `${count} of ${of} requests`;
  const before = `${elsewhere === 0 ? 'none' : elsewhere} of ${countOf(others, 'request')}`;
  return `${listWords(fact.operations)} ${words} in ${since} since ${which} added an item${item}, and in ${before} before.`;
}

/** The operations with their verb: `createPet fails`, `createPet and getPet fail`. */
function tell({ operations }: CauseFact, one: string, many: string): string {
  return `${listWords(operations)} ${operations.length === 1 ? one : many}`;
}

/** `3 of 7 responses`, `all 3 responses`; only the number where nothing else is counted. */
function countIn({ of }: CauseFact, count: number, noun: 'request' | 'response'): string {
  if (count !== of) return `${count} of ${countOf(of, noun)}`;
  return count === 1 ? `1 ${noun}` : `all ${count} ${noun}s`;
}

/** The requests in words: `the 3 requests in which ..., and no other that ...`. */
function tellRequests(fact: CauseFact, count: number): string {
  const { condition, of, elsewhere, others } = fact;
  const among = amongWords(fact, condition === undefined && of > 1);
  if (condition === undefined) {
    if (count === of && of > 1) return `all ${count} requests${among}`;
    return of === 1 ? `the one request${among}` : `${count} of ${of} requests${among}`;
  }
  const words = conditionWords(condition);
  const number =
    count === of
      ? count === 1
        ? 'the one request'
        : `the ${count} requests`
      : `${count} of the ${of} requests`;
  const rest =
    elsewhere === 0 ? `no other${among}` : `${elsewhere} of ${countOf(others, 'request')} besides`;
  return `${number} in which ${words}, and ${rest}`;
}

function amongWords({ among }: CauseFact, isMany: boolean): string {
  for (const each of among)
    if (each.kind === 'due') {
      if (each.status < 300) return isMany ? ' that keep the contract' : ' that keeps the contract';
      return ` that ${isMany ? 'have' : 'has'} to be answered ${each.status}`;
    }
  return '';
}

function dueIn({ among }: CauseFact): string {
  const due = among.find((each) => each.kind === 'due');
  return due === undefined ? '' : `, not ${due.status},`;
}

function statusOf(outcome: CauseOutcome): string {
  return outcome.kind === 'status' ? String(outcome.status) : '';
}

function tellOutcome(outcome: CauseOutcome): string {
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
      return 'JSON of another form';
    case 'page':
      return form.title === '' ? 'an HTML page' : `the HTML page "${form.title}"`;
    case 'text':
      return form.mediaType === '' ? 'a text' : `a text of ${form.mediaType}`;
  }
}

function tellMissing({ among, outcome, of, operations }: CauseFact, count: number): string {
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
  const places = operations.length === 0 ? words : `${words} of ${listWords(operations)}`;
  return count === of && count > 1
    ? `None of ${count} ${places} carries ${listWords(names, 'or')}.`
    : `${count} of ${of} ${places} ${count === 1 ? 'lacks' : 'lack'} ${listWords(names)}.`;
}

function tellQuota(fact: CauseFact, count: number): string {
  const { outcome, of, expected, received } = fact;
  const due = expected === undefined ? '' : `, expected ${expected}`;
  const example = received === undefined ? '' : `, such as "${cutValue(received)}"${due}`;
  const places = `${count} of ${countOf(of, 'response')}`;
  if (outcome.kind === 'header-form')
    return `${outcome.name} ${formWords(outcome.form)} in ${places}${example}.`;
  if (outcome.kind === 'header-value')
    return `${listWords(outcome.names)} ${outcome.names.length === 1 ? 'is' : 'are'} "${cutValue(outcome.value)}" in ${places}${due}.`;
  const names = fact.among.flatMap((each) => (each.kind === 'has-header' ? [each.name] : []));
  // Not each response is compared with others: how many are wrong is not known.
  return `${listWords(names)} is wrong${example}.`;
}

function tellAlteration({ alteration, of }: CauseFact, count: number): string {
  if (alteration === undefined) return '';
  const { members, words, sent, shown } = alteration;
  const names = listWords(members.map((name) => `\`${name}\``));
  return `${names} ${words}: ${count} of ${countOf(of, 'response')}, such as ${sent ?? 'nothing'} as ${shown ?? 'nothing'}.`;
}

/** A value for a sentence. */
export function renderValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value.slice(0, longest) : value;
  return cutValue(renderJson(text));
}

/** Characters of a text that are rendered before it is cut. */
const longest = 1000;

function quote(text: string): string {
  return cutValue(showLine(text));
}

/** Words that follow "in which". */
function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'due':
      return condition.status === 404
        ? 'nothing has the identifier'
        : `the request has to be answered ${condition.status}`;
    case 'way':
      return condition.way;
    case 'credential':
      return tellCredential(condition.uses);
    case 'header':
      return `the header \`${condition.name}\` is "${cutValue(condition.value)}"`;
    case 'no-body':
      return 'there is no body';
    case 'not-json':
      return 'the body is not JSON';
    case 'body':
      return `the body ${valueWords(condition.value)}`;
    case 'not-object':
      return 'the body is not an object';
    case 'member':
      return `\`${condition.name}\` ${valueWords(condition.value)}`;
    case 'member-is':
      return `\`${condition.name}\` is "${condition.text}"`;
    case 'member-invalid':
      return `\`${condition.name}\` is not as the document has it`;
    case 'further-member':
      return condition.name === undefined
        ? 'there is a further member'
        : `there is a further member \`${condition.name}\``;
    case 'only-members':
      return `the body has only ${condition.names.map((name) => `\`${name}\``).join(', ')}`;
    case 'query':
      return `\`${condition.name}\` in the query ${valueWords(condition.value)}`;
    case 'query-is':
      return `the query has \`${condition.name}=${condition.text}\``;
    case 'query-has':
      return `the query has \`${condition.name}\``;
    case 'path':
      return `the identifier in the path ${valueWords(condition.value)}`;
    case 'same-time':
      return 'others come at the same time';
    case 'beyond':
      return 'nothing is left of the limit';
    case 'has-header':
      return `the response has ${condition.name}`;
    case 'after':
      return `the request was sent after request ${condition.exchange + 1}`;
    case 'answered':
      return `the response is ${condition.with}`;
    case 'window':
      return `the window ends at ${condition.reset}`;
  }
}

function tellCredential(uses: readonly CredentialUse[]): string {
  const [only] = uses;
  if (uses.length === 1 && only !== undefined) return describeUse(only).way;
  return `the credential is ${listWords(
    uses.map((use) => describeUse(use).words),
    'or',
  )}`;
}
