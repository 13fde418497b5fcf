import type { CredentialUse } from '../../conformance/index.ts';
import {
  type Contract,
  type JsonValue,
  facetOf,
  isJsonObject,
  requirementId,
} from '../../contract/index.ts';
import { type Contradictions, facetPath } from './response.ts';
import { type Shown, identify, isServed, plain } from './shown.ts';

/** What is taken and must not be, and what nobody may refuse. */
export function* contradictRequests(
  { rateLimit }: Contract,
  all: readonly Shown[],
): Contradictions {
  for (const shown of all) {
    if (shown.status === undefined) continue;
    yield* contradictCredential(shown, shown.status);
    yield* contradictRequest(shown, shown.status);
  }
  yield* contradictRefusals(all, rateLimit?.headers.remaining ?? '');
}

/**
 * What a use of a credential has to be refused for; undefined for what is right, or so odd that nothing
 * is said of it. This reading is the oracle's own: the suite's table lists the uses and no more.
 */
const faultOf: Readonly<
  Record<CredentialUse, 'no key' | 'another form' | 'another key' | 'nearly the key' | undefined>
> = {
  valid: undefined,
  missing: 'no key',
  invalid: 'another key',
  'inherited-name': 'another key',
  'other-scheme': 'another form',
  cut: 'nearly the key',
  longer: 'nearly the key',
  'other-case': 'nearly the key',
  nameless: 'nearly the key',
  marked: 'nearly the key',
  'non-ascii': undefined,
  'token-scheme': 'another form',
  'no-scheme': 'another form',
  'no-token': 'another form',
  'further-word': 'nearly the key',
  'word-before': 'another form',
  'no-space': 'another form',
  twice: undefined,
};

/** Whether a credential is the key but for a little. */
export function isNearlyKey(use: CredentialUse): boolean {
  return faultOf[use] === 'nearly the key';
}

function* contradictCredential(shown: Shown, status: number): Contradictions {
  const { operation, credential, index } = shown;
  const what = `a ${status} with the credential ${credential}`;
  const fault = faultOf[credential];
  if (operation.credential.kind === 'none' || fault === undefined) return;
  if (status === 401 || status === 429 || (status === 400 && !isSound(shown))) return;
  if (fault === 'no key') yield [requirementId.auth(operation.id, 'missing'), index, what];
  else if (fault === 'another form') yield [requirementId.auth('*', 'scheme'), index, what];
  else yield [requirementId.auth(operation.id, 'invalid'), index, what];
  if (fault === 'nearly the key') yield [requirementId.auth('*', 'exact'), index, what];
}

/** Nothing is wrong with the body, which a service may look at before the credential. */
function isSound({ operation, sent }: Shown): boolean {
  const schema = operation.requestBody?.content[0]?.schema;
  return schema === undefined || (sent !== undefined && schema.validate(sent).length === 0);
}

/** A body that breaks its schema is refused as the document says, one that has none as well. */
function* contradictRequest(shown: Shown, status: number): Contradictions {
  const { operation, credential, text = '', sent, isPlainJson, index } = shown;
  const refusal = operation.responses.find((each) => each.status === '400');
  const schema = operation.requestBody?.content[0]?.schema;
  if (schema === undefined || refusal === undefined || credential !== 'valid') return;
  if (status === 400 || status === 429 || status === 403 || !isPlainJson) return;
  const what = `answered ${status}`;
  if (text === '') yield [requirementId.requestBody(operation.id), index, what];
  else if (sent !== undefined)
    for (const issue of schema.validate(sent)) {
      const facet = facetOf(issue.keyword);
      const path = facetPath(issue);
      if (facet !== undefined)
        yield [requirementId.requestFacet(operation.id, path, facet), index, `${what}: ${text}`];
    }
}

/** The values of a member that were refused in a valid body, and the ids that say they are accepted. */
export function* contradictAcceptance(all: readonly Shown[]): Contradictions {
  const own = all.filter(({ credential }) => credential === 'valid');
  for (const operation of new Set(own.map((each) => each.operation))) {
    const schema = operation.requestBody?.content[0]?.schema;
    if (schema === undefined) continue;
    const bodies = own.filter(
      ({ operation: { id }, isPlainJson, sent }) =>
        id === operation.id &&
        isPlainJson &&
        isJsonObject(sent) &&
        schema.validate(sent).length === 0,
    );
    for (const name of schema.shape().properties.keys()) {
      const valueOf = ({ sent }: Shown): string =>
        isJsonObject(sent) && sent[name] !== undefined ? plain(sent[name]) : '';
      const taken = new Set(bodies.filter(isTaken).map(valueOf));
      for (const each of bodies) {
        const isRefused = (each.status === 400 || each.status === 422) && isOrdinaryText(each);
        const isOnly = bodies.filter(isTaken).some((other) => isBeside(each, other, name));
        // A plain tag is refused for another reason than its own, and so is what is not there.
        const isTold = !/^(Pc[a-z]{8})?$/.test(valueOf(each));
        if (isRefused && isOnly && isTold && !taken.has(valueOf(each)))
          yield [
            requirementId.requestFacet(operation.id, [name], 'taken'),
            each.index,
            `answered ${each.status} to ${valueOf(each).slice(0, 40)}`,
          ];
      }
    }
  }
}

function isTaken({ status = 0 }: Shown): boolean {
  return status >= 200 && status < 300;
}

/** Whether a body is no longer than servers read, and is one that Unicode can write. */
function isOrdinaryText({ text = '' }: Shown): boolean {
  return text.length < 10_000 && !/\\u[dD][89a-fA-F]/.test(text) && text.isWellFormed();
}

/** Whether two bodies differ in no member but one, and in the text that names the run. */
function isBeside({ sent }: Shown, { sent: other }: Shown, name: string): boolean {
  if (!isJsonObject(sent) || !isJsonObject(other)) return false;
  return [...new Set([...Object.keys(sent), ...Object.keys(other)])].every((each) => {
    const [one, two] = [sent[each], other[each]];
    if (each === name || (one !== undefined && two !== undefined && plain(one) === plain(two)))
      return true;
    return [one, two].every((text) => typeof text === 'string' && /^Pc[a-z]{8}$/.test(text));
  });
}

/** What nobody may refuse: a request that keeps the document and touches none of its questions. */
function* contradictRefusals(all: readonly Shown[], remaining: string): Contradictions {
  const known = new Set<string>();
  const references = new Set<string>();
  const forbidden = new Set(
    all
      .filter(
        ({ credential, status }) => credential === 'valid' && status !== 403 && status !== 429,
      )
      .map(({ operation }) => operation.id),
  );
  let isSpent = false;
  for (const shown of all) {
    const { operation, resource, credential, status, index } = shown;
    if (operation.method !== 'GET' && shown.inPath !== undefined) known.delete(shown.inPath);
    const wanted = operation.responses.find((each) => /^2\d\d$/.test(each.status))?.status;
    const isOpen = status === undefined || status === 429 || !forbidden.has(operation.id);
    if (
      resource !== undefined &&
      wanted !== undefined &&
      credential === 'valid' &&
      !isOpen &&
      !isSpent
    ) {
      for (const id of exercised(shown, known, references))
        if (String(status) !== wanted) yield [id, index, `answered ${status}`];
      yield* contradictAbsence(shown, known);
    }
    note(shown, known, references);
    if (credential === 'valid')
      isSpent = shown.header(remaining) === '0' || (isSpent && status === undefined);
  }
}

/** The requirements that say that a request is served; none where it may be refused. */
function exercised(
  shown: Shown,
  known: ReadonlySet<string>,
  references: ReadonlySet<string>,
): readonly string[] {
  const { operation, resource, query, inPath, sent } = shown;
  const names = [...query.keys()];
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  const isLawful = names.every((name, at) => {
    const schema = parameters.find((each) => each.name === name)?.schema;
    const text = query.get(name) ?? '';
    const value = /^\d{1,9}$/.test(text) ? Number(text) : text;
    return names.indexOf(name) === at && schema?.validate(value).length === 0;
  });
  if (!isLawful) return [];
  const success = operation.responses.find((each) => /^2\d\d$/.test(each.status))?.status ?? '';
  const served = requirementId.status(operation.id, success);
  if (operation.id === resource?.list.id)
    return [
      served,
      ...parameters.flatMap(({ name, schema }) => {
        const { minimum, maximum, values } = schema.shape();
        const value = query.get(name);
        const facets = [
          ...(minimum && String(minimum.value) === value ? ['minimum' as const] : []),
          ...(maximum && String(maximum.value) === value ? ['maximum' as const] : []),
          ...(values && value !== null ? ['values' as const] : []),
        ];
        return facets.map((facet) => requirementId.parameter(operation.id, name, facet));
      }),
    ];
  if (operation.id === resource?.get?.id)
    return known.has(inPath ?? '') ? [served, requirementId.state(operation.id, 'readable')] : [];
  const isPlain =
    operation.id === resource?.create?.id &&
    shown.isPlainJson &&
    isJsonObject(sent) &&
    operation.requestBody?.content[0]?.schema?.validate(sent).length === 0 &&
    Object.entries(sent).every(([name, value]) => isOrdinary(name, value, shown, references));
  return isPlain ? [served] : [];
}

/** No limit, unknown record or unknown member can be meant by a refusal. */
function isOrdinary(
  name: string,
  value: JsonValue | undefined,
  { operation }: Shown,
  references: ReadonlySet<string>,
): boolean {
  const schema = operation.requestBody?.content[0]?.schema?.shape().properties.get(name);
  if (schema === undefined || value === undefined) return false;
  if (schema.shape().values !== undefined) return true;
  return typeof value === 'string'
    ? /^[A-Za-z]{1,10}$/.test(value)
    : references.has(`${name} ${plain(value)}`);
}

function note(shown: Shown, known: Set<string>, references: Set<string>): void {
  const { json, resource } = shown;
  if (resource === undefined || !isServed(shown)) return;
  for (const item of Array.isArray(json) ? json : [json]) {
    if (!isJsonObject(item)) continue;
    const id = identify(item, resource);
    if (id !== undefined) known.add(id);
    for (const [name, value] of Object.entries(item))
      if (value !== undefined) references.add(`${name} ${plain(value)}`);
  }
}

/** What nothing has ever shown is not found; somebody else may have added it. */
function* contradictAbsence(shown: Shown, known: ReadonlySet<string>): Contradictions {
  const { operation, resource, inPath = '', status, json, index } = shown;
  const isId = /^\d{1,18}$/.test(inPath) && !known.has(inPath);
  if (operation.id !== resource?.get?.id || !isId || status === 404) return;
  const isFound = isServed(shown) && isJsonObject(json) && identify(json, resource) === inPath;
  if (!isFound) yield [requirementId.status(operation.id, 404), index, `answered ${status}`];
}
