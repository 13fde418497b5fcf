import {
  facetOf,
  isJsonArray,
  isJsonObject,
  requirementId,
  parsePointer,
  renderPointer,
  type Contract,
  type Issue,
  type JsonValue,
} from '../../../contract/index.ts';
import type { Check } from '../trace/check.ts';
import { headerOf } from '../../transport/exchange.ts';
import { passed, failed, type Finding } from '../trace/finding.ts';
import { createdInSpite } from '../trace/ledger.ts';
import { renderPlain, resourceOf, type Reading } from '../trace/trace.ts';
import { cut, describeResponse, quote } from '../trace/words.ts';

/**
 * Judges content type and body of every response whose status the document lists. One fault is named
 * once: what cannot be read is not judged further.
 */
export const bodyCheck: Check = {
  id: 'body',
  *judge(trace) {
    const tainted = createdInSpite(trace);
    const facets = facetsByResponse(trace.contract);
    for (const reading of trace.readings) {
      if (reading.documented?.content.length && !isAcceptedInvalid(reading))
        yield* judgeBody(reading, trace.contract, tainted, facets);
    }
  },
};

/** The response to a request that should have been refused says nothing about lawful answers. */
function isAcceptedInvalid({ exchange, succeeded }: Reading): boolean {
  return exchange.intent.kind === 'invalid' && succeeded;
}

/** The ids of the requirements on bodies, by what they begin with: `getPet/response.200.`. */
type FacetsByResponse = ReadonlyMap<string, ReadonlySet<string>>;

function facetsByResponse({ requirements }: Contract): FacetsByResponse {
  const found = new Map<string, Set<string>>();
  for (const { id } of requirements) {
    const end = id.includes('/response.') ? id.indexOf('.body') + 1 : 0;
    const prefix = id.slice(0, end);
    if (end > 0) found.set(prefix, (found.get(prefix) ?? new Set()).add(id));
  }
  return found;
}

function* judgeBody(
  reading: Reading,
  contract: Contract,
  tainted: ReadonlySet<string>,
  facets: FacetsByResponse,
): Generator<Finding> {
  const { operation, documented, exchange, response } = reading;
  if (!documented) return;
  const type = requirementId.contentType(operation.id, documented.status);
  const body = requirementId.body(operation.id, documented.status);
  if (!reading.content) {
    const wanted = documented.content.map((each) => each.mediaType).join(' or ');
    yield failed(
      type,
      exchange.index,
      wanted,
      headerOf(response, 'content-type') ?? 'no Content-Type',
    );
    return;
  }
  yield passed(type, exchange.index);
  if (reading.json === undefined || !response.utf8) {
    yield failed(
      body,
      exchange.index,
      'a JSON text in UTF-8',
      response.body === '' ? 'no body' : cut(response.body),
    );
    return;
  }
  const prefix = `${operation.id}/response.${documented.status}.`;
  const known = facets.get(prefix) ?? new Set();
  yield* judgeJson(reading, reading.json, body, contract, tainted, known);
}

function* judgeJson(
  reading: Reading,
  json: JsonValue,
  body: string,
  contract: Contract,
  tainted: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Generator<Finding> {
  const { exchange, content, operation, documented, response } = reading;
  const issues = content?.schema?.validate(json) ?? [];
  const mistyped = new Set(
    issues.filter((issue) => issue.keyword === 'type').map((issue) => issue.at),
  );
  const relevant = issues
    .filter((issue) => issue.keyword === 'type' || !mistyped.has(issue.at))
    .filter((issue) => !isTainted(issue, reading, contract, tainted));
  const issueById = new Map<string, Issue>();
  for (const issue of relevant) {
    const id = facetId(operation.id, documented?.status ?? '', issue);
    const named = id && known.has(id) ? id : body;
    if (!issueById.has(named)) issueById.set(named, issue);
  }
  for (const [id, issue] of issueById) {
    yield failed(
      id,
      exchange.index,
      `${issue.at || 'the body'} ${issue.message}`,
      `${quote(valueAt(json, issue.at))} in ${describeResponse(response)}`,
    );
  }
  if (!issueById.has(body)) yield passed(body, exchange.index);
  yield* holdFacets(reading, json, issueById, known);
}

function facetId(operation: string, status: string, issue: Issue): string | undefined {
  const facet = facetOf(issue.keyword);
  return facet === undefined
    ? undefined
    : requirementId.bodyFacet(operation, status, pathOf(issue.at), facet);
}

/** The members of a JSON pointer, every array index as `[]`. */
function pathOf(at: string): readonly string[] {
  return parsePointer(at).map((token) => (/^\d+$/.test(token) ? '[]' : token));
}

/** The facets that a body which fits has shown to be kept: those of members that are there. */
function* holdFacets(
  reading: Reading,
  json: JsonValue,
  failed: ReadonlyMap<string, Issue>,
  known: ReadonlySet<string>,
): Generator<Finding> {
  const prefix = `${reading.operation.id}/response.${reading.documented?.status ?? ''}.`;
  const present = presentMembers(json);
  for (const id of known) {
    if (failed.has(id)) continue;
    const member = id.slice(prefix.length).replace(/\.[^.]*$/, '');
    const subject = id.endsWith('.required') ? member.replace(/\.[^.]*$/, '') : member;
    if (present.has(subject)) yield passed(id, reading.exchange.index);
  }
}

/** Every member of a value as requirements name it: `body`, `body[]`, `body[].name`. */
function presentMembers(json: JsonValue): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: JsonValue | undefined, name: string): void => {
    found.add(name);
    if (Array.isArray(value)) for (const item of value) visit(item, `${name}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) visit(inner, `${name}.${member}`);
    }
  };
  visit(json, 'body');
  return found;
}

function valueAt(json: JsonValue, at: string): JsonValue | undefined {
  let value: JsonValue | undefined = json;
  for (const token of parsePointer(at)) {
    if (isJsonObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else value = isJsonArray(value) ? value[Number(token)] : undefined;
  }
  return value;
}

/** A list may hold items that the target should have refused: they were found out already. */
function isTainted(
  issue: Issue,
  reading: Reading,
  contract: Contract,
  tainted: ReadonlySet<string>,
): boolean {
  const idProperty = resourceOf(contract, reading.operation)?.idProperty;
  const [first] = parsePointer(issue.at);
  const item =
    Array.isArray(reading.json) && first !== undefined
      ? valueAt(reading.json, renderPointer([first]))
      : reading.json;
  const id =
    idProperty === undefined || item === undefined
      ? undefined
      : valueAt(item, renderPointer([idProperty]));
  return id !== undefined && tainted.has(renderPlain(id));
}
