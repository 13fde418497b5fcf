import { facetOf } from '../../contract/schema/keywords.ts';
import {
  isJsonObject,
  type JsonValue,
  type JsonObject,
  parseJson,
} from '../../contract/json/value.ts';
import { isJsonLines, isJsonMediaType, jsonContent } from '../../contract/openapi/media-type.ts';
import {
  requirementId,
  type Drafts,
  draftsOf,
  type Requirements,
} from '../judge/trace/requirement.ts';
import {
  memberOf,
  parsePointer,
  renderPointer,
  resolvePointer,
} from '../../contract/json/pointer.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ErrorShape } from '../../contract/openapi/error-shape.ts';
import type { Issue, SchemaJudgement, SchemaNode } from '../../contract/schema/schema-node.ts';
import { once } from '../../contract/memo/once.ts';
import { headerOf } from '../transport/exchange.ts';
import { hasCutName, holdsCutMember, isCut } from '../transport/cut.ts';
import { cutReason, dependsOnCut, isBodyCut, otherIssues, unreadable } from '../judge/trace/cut.ts';
import { collectionOf } from '../judge/trace/collection.ts';
import {
  passed,
  failed,
  judged,
  unclear,
  undecided,
  type Finding,
} from '../judge/trace/finding.ts';
import { acceptanceId } from './intent.ts';
import { isPresent, isSame, memberPath } from '../judge/trace/item.ts';
import { mayBeOfProxy } from '../judge/trace/refusal.ts';
import { resourceOf } from '../../contract/resource/resource.ts';
import { idOf, readMediaType, type Reading, type Trace } from '../judge/trace/trace.ts';
import { cut, describeResponse, quote } from '../judge/trace/words.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { ResponseContract } from '../../contract/openapi/response.ts';
import { isReachable } from './status.ts';
import { type IsWhole, listBodyFacets, nameMember } from './body-facet.ts';

export function* listBodyRequirements(
  operation: Operation,
  { status, content }: ResponseContract,
  context: Contract,
  isWhole: IsWhole,
): Drafts {
  if (!isReachable(operation, status, context)) return;
  const { id, method } = operation;
  const [first] = content;
  if (!first || method === 'HEAD' || /^(204|205|304)$/.test(status)) return;
  const json = jsonContent(content);
  const media = json ?? first;
  const response = `${status} from ${id}`;
  const draft = draftsOf({ id, pointer: media.pointer });
  const types = content.map((each) => each.mediaType).join(' or ');
  yield draft(
    { kind: 'body', part: 'content-type', status },
    `A ${response} has the content type ${types}.`,
  );
  if (!json) {
    if (first.itemSchema !== undefined)
      yield draft(
        { kind: 'body', part: 'whole', status },
        `Each item in the stream of a ${response} matches its schema.`,
      );
    return;
  }
  yield draft(
    { kind: 'body', part: 'whole', status },
    `The body of a ${response} is valid JSON and matches its schema.`,
  );
  if (isWhole(operation, 'response')) return;
  for (const { path, facet, demand, pointer } of listBodyFacets(json.schema, 'response', status)) {
    yield draft(
      { kind: 'body', part: 'member', status, path, facet },
      `In a ${response}, ${nameMember(path)} ${demand}.`,
      pointer,
    );
  }
}

/** Requirements of documented responses that no request of the suite can provoke. */
export function* listUnreachableRequirements(
  operations: readonly Operation[],
  context: Contract,
): Drafts {
  const unasked = operations.flatMap((operation) =>
    operation.responses.filter(
      ({ status, content }) => content.length > 0 && !isReachable(operation, status, context),
    ),
  );
  const [first] = unasked;
  if (first === undefined) return;
  yield draftsOf({ id: '*', pointer: first.pointer })(
    { kind: 'body', part: 'error', facet: 'listed' },
    'A response that no request provokes, such as 403 or 500, matches its description in the document.',
  );
}

/**
 * Bodies of errors whose status an operation does not list. Their shape is only recommended, unless
 * all errors of the document have it, with more than one status, or the document lists everything
 * that it leaves open.
 */
export function* listErrorRequirements({ error, openQuestions }: Contract): Drafts {
  if (error === undefined) return;
  const { pointer } = error.schema;
  const level = openQuestions.length > 0 || error.isShared ? 'must' : 'should';
  const rest = 'An error response with a status that the operation does not list also has';
  const sentences = { shape: 'the error shape', status: 'that status in its body' } as const;
  for (const facet of ['shape', 'status'] as const)
    yield draftsOf({ id: '*', pointer })(
      { kind: 'body', part: 'error', facet },
      `${rest} ${sentences[facet]}.`,
      pointer,
      level,
    );
}

/**
 * Judges the content type and body of every response: by its schema if the document lists the
 * status, else by the error shape. Unreadable bodies are not judged further.
 */
export function* judgeBody(trace: Trace): Findings {
  const { contract, readings, limited } = trace;
  for (const reading of [...readings, ...limited]) {
    if (mayBeOfProxy(reading)) continue;
    if (reading.documented?.content.length && mayHaveBody(reading))
      for (const finding of judgeDocumented(reading, reading.documented, trace))
        if (finding.kind !== 'passed' || !isWronglyAccepted(reading)) yield finding;
    if (
      contract.error &&
      !reading.documented &&
      reading.response.status >= 400 &&
      mayHaveBody(reading)
    )
      yield* judgeError(reading, contract.error);
  }
}

type Findings = Generator<Finding>;

/** The response to a request that should have been refused proves nothing about valid responses. */
function isWronglyAccepted({ exchange, succeeded }: Reading): boolean {
  return exchange.intent.kind === 'invalid' && succeeded;
}

/**
 * Responses to HEAD, 204 and 304 have no body, whatever a document says (RFC 9110 section 6.4.1).
 */
function mayHaveBody({ operation, status }: Reading): boolean {
  return operation.method !== 'HEAD' && ![204, 205, 304].includes(status);
}

interface Facet {
  readonly id: string;
  readonly response: string;
  /**
   * The path that must exist with the right types before this can be judged: `[]` for the items of
   * a list.
   */
  readonly steps: readonly string[];
}

const facetsOf = once((requirements: Requirements) =>
  Map.groupBy(
    requirements.values().flatMap(({ id, operation, subject }): readonly Facet[] => {
      if (subject.kind !== 'body' || subject.part !== 'member') return [];
      const { path, facet, status } = subject;
      const steps = facet === 'required' ? path.slice(0, -1) : path;
      return [{ id, response: `${operation} ${status}`, steps }];
    }),
    ({ response }) => response,
  ),
);

/** The ids of the requirements of a body: its content type, the whole body and its members. */
interface Demands {
  readonly type: string;
  readonly whole: string;
  readonly members: readonly Facet[];
}

const demandsOf = once((requirements: Requirements) =>
  once(({ id, responses }: Operation): ReadonlyMap<ResponseContract, Demands> => {
    return new Map(
      responses.map((response) => {
        const { status } = response;
        const type = knownId(requirementId.contentType(id, status), requirements);
        const whole = knownId(requirementId.body(id, status), requirements);
        const members = facetsOf(requirements).get(`${id} ${status}`) ?? [];
        return [response, { type, whole, members }];
      }),
    );
  }),
);

/**
 * The id of the requirement; if it has none of its own, that of all responses that no request can
 * provoke.
 */
function knownId(id: string, requirements: Requirements): string {
  return requirements.has(id) ? id : requirementId.errors('listed');
}

function* judgeDocumented(reading: Reading, documented: ResponseContract, trace: Trace): Findings {
  const { operation, index, response, content, json } = reading;
  const demands = demandsOf(trace.requirements)(operation).get(documented);
  if (demands === undefined) return;
  const { type, whole, members } = demands;
  if (content === undefined) {
    const wanted = documented.content.map((each) => each.mediaType).join(' or ');
    const received = headerOf(response, 'content-type') ?? 'no Content-Type';
    if (isCut(received) || hasCutName(response)) {
      for (const { id } of [{ id: type }, { id: whole }, ...members])
        yield unclear(id, index, cutReason);
      return;
    }
    yield failed(type, index, wanted, received);
    yield unclear(whole, index, `${received}, which fails ${type}`, type);
    return;
  }
  yield passed(type, index);
  const reason = unreadable(reading);
  if (content.itemSchema !== undefined) {
    if (reason !== undefined) yield unclear(whole, index, reason);
    else yield* judgeStream(reading, content.itemSchema, whole);
  } else if (isJsonMediaType(mediaTypeOf(reading) ?? '')) {
    if (reason !== undefined)
      for (const { id } of [{ id: whole }, ...members]) yield unclear(id, index, reason);
    else if (json === undefined || !response.utf8) {
      const received = response.body === '' ? 'no body' : cut(response.body);
      yield failed(whole, index, 'valid JSON in UTF-8', received, [], { at: '' });
    } else yield* judgeJson(reading, json, documented, demands, trace);
  }
}

function mediaTypeOf({ response }: Reading): string | undefined {
  return readMediaType(headerOf(response, 'content-type'));
}

function* judgeStream(reading: Reading, itemSchema: SchemaNode, whole: string): Findings {
  const { body } = reading.response;
  const isEvent = itemSchema.shape().properties.has('data');
  const items = readStream(mediaTypeOf(reading) ?? '', body, isEvent);
  if (items === undefined) return;
  for (const [place, item] of items.entries()) {
    const [issue] = item === undefined ? [] : itemSchema.judge(item).issues;
    if (item !== undefined && issue === undefined) continue;
    const expected = issue === undefined ? 'JSON' : `${issue.at || 'it'} ${issue.message}`;
    yield failed(whole, reading.index, `item ${place + 1} of the stream: ${expected}`, cut(body));
    return;
  }
  yield passed(whole, reading.index);
}

/** Reports each broken facet once, the whole body if no facet is broken, and what passes. */
function* judgeJson(
  reading: Reading,
  json: JsonValue,
  { status, content: documented }: ResponseContract,
  { whole, members }: Demands,
  trace: Trace,
): Findings {
  const { index, operation, response, content } = reading;
  // Members of other media types have no requirements of their own.
  const isMain = content === jsonContent(documented);
  if (reading.isRight && !isBodyCut(reading)) {
    yield passed(whole, index);
    for (const { id, steps } of isMain ? members : [])
      if (isPresent(json, steps)) yield passed(id, index);
    return;
  }
  const { kinds, hasOpen: isOpen, undecided: doubt } = issuesOf(reading);
  if (isOpen) yield unclear(whole, index, 'no value was found that its schema accepts');
  if (doubt !== undefined) yield undecided(whole, index, 'its body', doubt);
  const nameOf = ({ keyword, at }: Issue): string => {
    const facet = isMain ? facetOf(keyword) : undefined;
    if (facet === undefined) return whole;
    const id = requirementId.bodyFacet(operation.id, status, memberPath(at), facet);
    return trace.requirements.has(id) ? id : whole;
  };
  const issueById = new Map<string, Issue>();
  const followUps = new Set<string>();
  const unknown = new Set(otherIssues(reading, content?.schema).map(nameOf));
  for (const { issue, isFollowUp } of kinds) {
    const named = nameOf(issue);
    if (dependsOnCut(json, issue)) unknown.add(named);
    else if (isFollowUp) followUps.add(named);
    else if (!issueById.has(named)) issueById.set(named, issue);
  }
  for (const [id, issue] of issueById) {
    const received = `${quote(resolvePointer(json, issue.at))} in ${describeResponse(response)}`;
    const expected = `${issue.at || 'the body'} ${issue.message}`;
    const writer = writerOf(issue, reading, trace);
    const others = writer === undefined || writer === reading ? [] : [writer.index];
    const because = writer ? acceptanceId(writer, trace) : absenceId(reading);
    const { at, schemaPointer: rule } = issue;
    yield failed(id, index, expected, received, others, { because, at, rule });
  }
  const [first] = issueById.keys();
  if (unknown.size > 0 && first === undefined) unknown.add(whole);
  for (const id of unknown) if (!issueById.has(id)) yield unclear(id, index, cutReason);
  if (first === undefined && !isOpen && doubt === undefined && unknown.size === 0)
    yield passed(whole, index);
  if (!isMain) return;
  for (const id of new Set([whole, ...followUps]))
    if (first !== undefined && !issueById.has(id) && !unknown.has(id))
      yield unclear(id, index, `its body fails ${first}`, first);
  const ofType = kinds.filter(({ issue }) => issue.keyword === 'type');
  const wronglyTyped = new Set(ofType.map(({ issue }) => renderPointer(memberPath(issue.at))));
  const mayHaveOthers = isBodyCut(reading) && holdsCutMember(json);
  for (const { id, steps } of members) {
    const isJudged = issueById.has(id) || followUps.has(id) || unknown.has(id);
    if (isJudged || (ofType.length > 0 && wronglyTyped.has(renderPointer(steps)))) continue;
    if (!isPresent(json, steps)) {
      if (mayHaveOthers) yield unclear(id, index, cutReason);
    } else if (doubt === undefined) yield passed(id, index);
    else yield undecided(id, index, 'its body', doubt);
  }
}

/** A `oneOf` whose alternatives always match together can never be satisfied. */
function isSatisfiable(schema: SchemaNode | undefined): boolean {
  return schema === undefined || hasSample(schema);
}

const hasSample = once(
  (schema: SchemaNode) => sampleSchema(schema, { direction: 'response' }).issues.length === 0,
);

/** For a list with many invalid items, one issue of each kind is kept. */
const issuesOf = once((reading: Reading) => {
  const { content, json } = reading;
  const isAnyCut = isBodyCut(reading);
  const { issues: found, undecided: doubt } = reading.judgement ?? noJudgement;
  const mistyped = new Set(found.flatMap(({ keyword, at }) => (keyword === 'type' ? [at] : [])));
  // Issues below a value of the wrong type are only consequences.
  const kinds = new Map<string, { readonly issue: Issue; readonly isFollowUp: boolean }>();
  // An issue that no response could avoid.
  let hasOpen = false;
  for (const issue of found) {
    if (issue.keyword === 'oneOf' && !isSatisfiable(content?.schema)) hasOpen = true;
    else {
      const isFollowUp = issue.keyword !== 'type' && mistyped.has(issue.at);
      const kind = `${isFollowUp} ${issue.keyword} ${renderPointer(memberPath(issue.at))}`;
      const known = kinds.get(kind)?.issue;
      if (known === undefined || (isAnyCut && dependsOnCut(json ?? null, known)))
        kinds.set(kind, { issue, isFollowUp });
    }
  }
  return { kinds: [...kinds.values()], hasOpen, undecided: doubt };
});

const noJudgement: SchemaJudgement = { isSound: true, issues: [] };

/** The requirement that fails because a response shows an item that does not exist. */
function absenceId({ exchange: { intent }, succeeded }: Reading): string | undefined {
  return intent.kind === 'absent' && succeeded ? intent.requirement : undefined;
}

/** The accepted request that sent the invalid value and should have been refused. */
function writerOf(issue: Issue, reading: Reading, trace: Trace): Reading | undefined {
  const resource = resourceOf(trace.contract.resources, reading.operation);
  const { listed, place } = reading;
  const steps = parsePointer(issue.at);
  if (place.some((name, at) => name !== steps[at])) return undefined;
  const [index = '', ...rest] = steps.slice(place.length);
  const item = listed === undefined ? reading.item : memberOf(listed, index);
  if (resource === undefined || !isJsonObject(item)) return undefined;
  const inItem = renderPointer(listed === undefined ? steps.slice(place.length) : rest);
  const written = collectionOf(trace, resource, reading).wronglyWritten();
  return [reading, ...(written.get(idOf(item, resource)) ?? [])].find(
    (each) =>
      isWronglyAccepted(each) &&
      each.index <= reading.index &&
      each.sent !== undefined &&
      isSame(resolvePointer(each.sent, inItem), resolvePointer(item, inItem)),
  );
}

/**
 * Responses with an error status that the operation does not list must have the error shape, too.
 */
function* judgeError(reading: Reading, error: ErrorShape): Findings {
  const { json, response, index, status } = reading;
  const [shape, ofStatus] = [requirementId.errors('shape'), requirementId.errors('status')];
  const type = mediaTypeOf(reading);
  const isUnknown = isCut(type ?? '') || (type === undefined && hasCutName(response));
  const reason = isUnknown ? cutReason : unreadable(reading);
  if (reason !== undefined) {
    for (const id of [shape, ofStatus]) yield unclear(id, index, reason);
    return;
  }
  if (type === undefined || !isJsonMediaType(type)) {
    const expected = 'the content type application/json';
    yield failed(shape, index, expected, type ?? 'no Content-Type');
    return;
  }
  const { issues, undecided: doubt } = json === undefined ? noJudgement : error.schema.judge(json);
  const issue = issues.find((each) => json === undefined || !dependsOnCut(json, each));
  if (issue === undefined && (issues.length > 0 || otherIssues(reading, error.schema).length > 0)) {
    for (const id of [shape, ofStatus]) yield unclear(id, index, cutReason);
    return;
  }
  if (json === undefined || issue) {
    const expected = issue
      ? `${issue.at || 'the body'} ${issue.message}`
      : 'the error shape as JSON';
    const place = { at: issue?.at ?? '', rule: issue?.schemaPointer };
    yield failed(shape, index, expected, describeResponse(response), [], place);
    return;
  }
  yield doubt === undefined ? passed(shape, index) : undecided(shape, index, 'its body', doubt);
  const name = error.members.find((member) => member.role === 'status')?.name;
  if (name === undefined || !isJsonObject(json)) return;
  const isRight = json[name] === status;
  const expected = `\`${name}\` ${status}`;
  yield judged(isRight, ofStatus, index, expected, `\`${name}\` ${quote(json[name])}`, [], {
    at: renderPointer([name]),
  });
}

/**
 * The items of a body that is a stream: server-sent events, JSON lines, or a JSON text sequence
 * (RFC 7464). An item is undefined if it is not JSON; the list is, for other media types.
 *
 * @param isEvent an item is an event with its fields, else the JSON in its data
 */
function readStream(
  mediaType: string,
  body: string,
  isEvent: boolean,
): readonly (JsonValue | undefined)[] | undefined {
  if (mediaType === 'text/event-stream')
    return readEvents(body).map((event) => (isEvent ? event : readItem(event.data)));
  const isLines = isJsonLines(mediaType);
  if (!isLines && mediaType !== 'application/json-seq') return undefined;
  return body
    .split(isLines ? /\r?\n/ : '\u001E')
    .filter((text) => text.trim() !== '')
    .map(readItem);
}

function readItem(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Events with their fields (HTML Standard, section 9.2.6). Events without data are dropped. */
function readEvents(body: string): readonly (JsonObject & { readonly data: string })[] {
  const events: (JsonObject & { readonly data: string })[] = [];
  for (const block of body.replace(/^\uFEFF/, '').split(/(?:\r\n|\r|\n){2}/)) {
    const data: string[] = [];
    const event: Record<string, JsonValue> = {};
    for (const line of block.split(/\r\n|\r|\n/)) {
      const [, name = '', value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event' || name === 'id') event[name] = value;
      else if (name === 'retry' && /^\d+$/.test(value)) event[name] = Number(value);
    }
    if (data.length > 0) events.push({ ...event, data: data.join('\n') });
  }
  return events;
}
