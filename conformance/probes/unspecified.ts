import type { Contract } from '../../contract/contract.ts';
import { withValueAt } from '../../contract/json/place.ts';
import { renderJson, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { idName, type Resource, sentPlace } from '../../contract/resource/resource.ts';
import { readTrace } from '../family/read-trace.ts';
import { requirementsOf } from '../family/requirements.ts';
import { renderForm } from '../generate/request-body.ts';
import { sampleTag } from '../generate/tag.ts';
import { idOfTag } from '../generate/template.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { idIn, itemOf, renderPlain } from '../judge/trace/trace.ts';
import { describeUse, listCredentialUses } from '../transport/credential.ts';
import { jsonOf, type Exchange } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { longestList } from './reads.ts';
import { createProbe, NothingToSend, shareOf, type PlanContext, type Probe } from './probe.ts';
import { isRefused, itemRequest, seenIds, validBody, validRequest } from './requests.ts';

/**
 * An odd body, for which any response but a 5xx is valid: what is odd about it, in words that
 * follow a comma, and its rank (2: sent in a run of 240 requests; 3: after more revealing ones).
 */
type Odd = readonly [way: string, rank: number, request: (valid: JsonObject) => OddRequest];

type OddRequest = string | Pick<Request, 'body' | 'encoding' | 'headers'>;

/** Odd requests that crash some servers. The document does not say what they get. */
export function listUnspecifiedProbes({ contract }: PlanContext): readonly Probe[] {
  const offered = oddBodies.slice(0, shareOf(oddBodies.length, contract));
  const bodies = contract.resources.flatMap((resource) => {
    const { create } = resource;
    if (create === undefined) return [];
    return [
      ...offered.map((odd) => bodyProbe(create, resource, odd)),
      ...ownIdProbe(create, resource, contract),
    ];
  });
  const guarded = contract.operations.find(({ credential }) => credential.kind === 'bearer');
  if (guarded === undefined) return bodies;
  const odd = listCredentialUses().filter((use) => describeUse(use).isUnspecified);
  const keys = odd.map((credential) => {
    const way = describeUse(credential).words;
    const intent = { kind: 'unspecified', way } as const;
    return createProbe(guarded, `unspecified: ${way}`, {
      phase: 'open',
      rank: 3,
      proves: [requirementId.robustness(guarded.id, 'no-server-error')],
      run: (run) => run.session.send({ ...validRequest(guarded, run), intent, credential }),
    });
  });
  return [...bodies, ...keys];
}

/**
 * Adds an odd item, lists the collection, and removes the item if the document has an operation for
 * that. Sent last, and no longer once such an item has broken the list. Ranked after other probes,
 * because it tests little else.
 */
function bodyProbe(
  create: Operation,
  resource: Resource,
  [way, rank, request]: Odd,
  proves = requirementId.robustness(create.id, 'no-server-error'),
): Probe {
  const { list, remove } = resource;
  return createProbe(create, `unspecified: ${way}`, {
    phase: 'last',
    rank: rank + 1,
    requests: remove === undefined ? 2 : 3,
    proves: [proves],
    run: async (run) => {
      const { session } = run;
      if (session.exchanges.some((each) => isBrokenList(each, list)))
        throw new NothingToSend(`${list.id} failed after an item of this kind was added`);
      const known = seenIds(resource, run);
      const intent = { kind: 'unspecified', way } as const;
      const odd = request(validBody(create, resource, run));
      const sent = typeof odd === 'string' ? { body: odd } : odd;
      const added = await session.send({ operation: create, intent, ...sent });
      if (isRefused(added)) return;
      await session.send(longestList(resource));
      const [reading] = readTrace(run.contract, [added]).readings;
      const id = reading === undefined ? undefined : idIn(itemOf(reading), resource);
      if (remove === undefined || id === undefined || known.includes(renderPlain(id))) return;
      const removal = { kind: 'unspecified', way: 'the removal of that item' } as const;
      await session.send(itemRequest(remove, resource, renderPlain(id), removal));
    },
  });
}

/** A client-sent identifier, unless an open question has a probe for it. */
function ownIdProbe(create: Operation, resource: Resource, contract: Contract): readonly Probe[] {
  const { item, idPlace } = resource;
  const assigned = requirementId.state(create.id, 'id-assigned');
  const member = schemaAt(item, idPlace);
  const isOpen = contract.openQuestions.some(({ kind }) => kind === 'read-only-property');
  const id = member && idOfTag(member, sampleTag);
  if (!requirementsOf(contract).has(assigned) || id === undefined || isOpen) return [];
  const place = [...sentPlace([resource], create), ...idPlace];
  const body = (valid: JsonValue) => renderJson(withValueAt(valid, place, id));
  return [bodyProbe(create, resource, [`a client-sent ${idName(resource)}`, 1, body], assigned)];
}

/** A list request of such a probe that failed. */
function isBrokenList({ probe, request, outcome }: Exchange, list: Operation): boolean {
  if (!probe.includes('/unspecified: ') || request.operation !== list.id) return false;
  return (
    outcome.kind !== 'answered' ||
    outcome.response.status >= 500 ||
    jsonOf(outcome.response) === undefined
  );
}

/** Nesting that overflows the stack of recursive parsers. */
const deep = 5000;

/** More characters than the default body limit of common frameworks. */
const long = 150_000;

/** Renders a valid body with more text before its last brace. */
const extended = (valid: JsonObject, more: string): string =>
  `${renderJson(valid).slice(0, -1)},${more}}`;

/** Adds a member, given as raw JSON. */
const withMember = (raw: string) => (valid: JsonObject) =>
  extended(valid, `"notInTheContract":${raw}`);

/** Adds raw JSON to the end of the first string. */
const withText =
  (raw: string) =>
  (valid: JsonObject): string =>
    renderJson(valid).replace(
      /(:\s*"(?:[^"\\]|\\.)*)"/,
      (_whole, text: string) => `${text}${raw}"`,
    );

const withHeader = (name: string, value: string) => (valid: JsonObject) => ({
  body: renderJson(valid),
  headers: { [name]: value },
});

const inCharset = (name: string) => withHeader('content-type', `application/json; charset=${name}`);

const oddBodies: readonly Odd[] = [
  ['an escaped lone surrogate', 2, withText(String.raw`\ud83d`)],
  [
    'bytes that are not UTF-8',
    2,
    (valid) => ({ body: withText('\u00c3\u0028\u00ff')(valid), encoding: 'latin1' }),
  ],
  [`arrays nested ${deep} deep`, 2, withMember('['.repeat(deep) + ']'.repeat(deep))],
  [`objects nested ${deep} deep`, 3, withMember(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)],
  [`a string of ${long} characters`, 2, withText('x'.repeat(long))],
  ['the same name twice', 2, (valid) => extended(valid, renderJson(valid).slice(1, -1))],
  [
    'names that JavaScript objects inherit',
    3,
    (valid) =>
      extended(valid, '"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1'),
  ],
  ['an empty property name', 4, (valid) => extended(valid, '"":1,"$where":"1","a.b":2')],
  ['an integer with 400 digits', 3, withMember('9'.repeat(400))],
  ['the number 1e999', 3, withMember('1e999')],
  [
    'a form instead of JSON',
    2,
    (valid) => ({
      body: renderForm(valid),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  ],
  ['the charset utf-16', 3, inCharset('utf-16')],
  ['the charset iso-8859-1', 3, inCharset('iso-8859-1')],
  ['the charset no-such-charset', 3, inCharset('no-such-charset')],
  ['a Content-Encoding that does not match the body', 4, withHeader('content-encoding', 'gzip')],
];
