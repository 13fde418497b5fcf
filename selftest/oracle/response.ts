import type { Contract } from '../../contract/contract.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';
import { type JsonValue, isJsonObject, parseJson, renderJson } from '../../contract/json/value.ts';
import { type RunReport, type Requirement, requirementId } from '../../conformance/index.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import { type Shown, showExchanges } from './shown.ts';

/** A requirement that an exchange contradicts, and how. */
type Contradiction = readonly [requirement: string, exchange: number, what: string];

type Contradictions = Generator<Contradiction>;

/** What is looked at of a verdict. */
interface Judged {
  readonly requirement: Pick<Requirement, 'id' | 'operation' | 'family'>;
  readonly kind: string;
  /** Of one that is passed. */
  readonly exchanges?: readonly number[];
  /** Of one that is not tested. */
  readonly reason?: string;
}

/**
 * The verdicts that their log contradicts, each in a sentence: passed though a response shows the
 * contrary, passed by an exchange of another operation, or not tested without a word of what was seen.
 */
export function findUnfounded(
  contract: Contract,
  exchanges: RunReport['exchanges'],
  verdicts: readonly Judged[],
): readonly string[] {
  const contradictions = Map.groupBy(findContradictions(contract, exchanges), ([id]) => id);
  return verdicts.flatMap((verdict) => {
    const { requirement, kind, reason = '' } = verdict;
    const [first] = contradictions.get(requirement.id) ?? [];
    const isReported = /^request \d+: /.test(reason) || reason.includes('left out');
    const isAgainst = kind === 'passed' || (kind === 'not-tested' && !isReported);
    if (first !== undefined && isAgainst)
      return [`${requirement.id} ${kind} against exchange ${first[1]}: ${first[2]}`];
    const strange = findStrange(verdict, exchanges);
    return strange === undefined
      ? []
      : [`${requirement.id} passed by exchange ${strange}, which does not prove it`];
  });
}

/** An exchange that is named as a proof and is not there, or is of another operation. */
function findStrange(
  { requirement: { operation, family }, exchanges: proofs = [] }: Judged,
  exchanges: RunReport['exchanges'],
): number | undefined {
  const isAny = operation === '*' || family === 'state' || family === 'concurrency';
  return proofs.find((index) => {
    const sender = exchanges[index]?.request.operation;
    return isAny ? sender === undefined : sender !== operation;
  });
}

/**
 * What status, headers and body of each response contradict by themselves. A second, naive judge: it
 * knows no plan, no intent and no excuse, and shares no code with the judge of the suite.
 */
export function* findContradictions(
  contract: Contract,
  exchanges: RunReport['exchanges'],
): Contradictions {
  for (const shown of showExchanges(contract, exchanges)) {
    const { operation, index, status } = shown;
    if (status === undefined) {
      yield [requirementId.robustness(operation.id, 'answered'), index, 'no response'];
      continue;
    }
    if (status >= 500)
      yield [requirementId.robustness(operation.id, 'no-server-error'), index, `a ${status}`];
    yield* contradictBody(shown);
    yield* contradictHeaders(shown);
    if (shown.documented === undefined) yield* contradictUnlisted(contract, shown, status);
  }
}

function* contradictBody({ operation, documented, header, index, json }: Shown): Contradictions {
  if (documented === undefined || documented.content.length === 0) return;
  const { status } = documented;
  const type = readMediaType(header('content-type'));
  const media = documented.content.find(({ mediaType }) => mediaType === type);
  if (media === undefined) yield [requirementId.contentType(operation.id, status), index, type];
  const schema = (media ?? documented.content[0])?.schema;
  const whole = requirementId.body(operation.id, status);
  if (json === undefined) yield [whole, index, 'no JSON'];
  else
    for (const issue of schema?.validate(json) ?? []) {
      const path = facetPath(issue);
      const facet = facetOf(issue.keyword);
      if (facet !== undefined)
        yield [requirementId.bodyFacet(operation.id, status, path, facet), index, issue.message];
      yield [whole, index, `${issue.at} ${issue.message}`];
    }
}

function readMediaType(text = 'no content type'): string {
  return text.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The members of a place in a body, every position as `[]`. */
export function memberPath({ at }: Issue): readonly string[] {
  return parsePointer(at).map((step) => (/^\d+$/.test(step) ? '[]' : step));
}

/** The place that a requirement names: of a member too many, what it is a member of. */
export function facetPath(issue: Issue): readonly string[] {
  const path = memberPath(issue);
  return facetOf(issue.keyword) === 'additional' ? path.slice(0, -1) : path;
}

function* contradictHeaders({ operation, documented, header, index }: Shown): Contradictions {
  for (const { name, schema } of documented?.headers ?? []) {
    const id = requirementId.header(operation.id, documented?.status ?? '', name);
    const text = header(name);
    if (text === undefined) yield [id, index, `no ${name}`];
    else if (schema !== undefined) {
      const isNumber = schema.shape().types.some((type) => type === 'integer' || type === 'number');
      const value: JsonValue = isNumber && /^-?\d+(\.\d+)?$/.test(text) ? parseJson(text) : text;
      if (schema.validate(value).length > 0) yield [id, index, `${name}: ${text}`];
    }
  }
}

/** Every response has the headers of the limit, and every error the shape of an error. */
function* contradictUnlisted(contract: Contract, shown: Shown, status: number): Contradictions {
  const { header, index, json } = shown;
  const { error, rateLimit } = contract;
  const { limit = '', remaining = '', reset = '' } = rateLimit?.headers ?? {};
  const missing = [limit, remaining, reset].filter((name) => header(name) === undefined);
  if (rateLimit !== undefined && missing.length > 0)
    yield [requirementId.rateLimit('headers'), index, `a ${status} without ${missing.join(', ')}`];
  if (error === undefined || status < 400) return;
  const isShaped = json !== undefined && error.schema.validate(json).length === 0;
  if (readMediaType(header('content-type')) !== 'application/json' || !isShaped)
    yield [requirementId.errors('shape'), index, `a ${status} in another shape`];
  const said = isJsonObject(json) ? json['status'] : undefined;
  if (isShaped && said !== status)
    yield [requirementId.errors('status'), index, `${renderJson(said ?? null)} in a ${status}`];
}
