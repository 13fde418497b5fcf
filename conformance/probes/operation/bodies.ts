import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { jsonContent } from '../../../contract/openapi/media-type.ts';
import { refusalStatus } from '../../../contract/requirement/reachable-responses.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { limitEdges, listLimits } from '../../generate/valid-body.ts';
import type { InvalidBody } from '../../generate/invalid-body.ts';
import { listInvalidVariants, type RefusedFacet } from '../../generate/invalid-variants.ts';
import { isValidRequest, plainRequestValue } from '../../generate/plain-value.ts';
import { renderRequestBody } from '../../generate/request-body.ts';
import { once } from '../../memo/once.ts';
import { requirementsByOperation } from '../../memo/requirements.ts';
import { readJson, statusOf } from '../../transport/exchange.ts';
import { writes } from '../../transport/target.ts';
import { createProbe, NothingToSend, type PlanContext, type Probe } from '../probe.ts';
import { listGeneralOperations } from './covered.ts';
import { phaseOf } from './valid.ts';
import { shownByRefusal } from './shown.ts';
import { asValid, plainRequest } from './request.ts';

/** Broken bodies that one probe sends. */
const share = 8;

/** A whole body with every member, and bodies that are broken in one way each. */
export function listBodyProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) => {
    const node = jsonContent(operation.requestBody?.content ?? [])?.schema;
    if (node === undefined) return [];
    return [
      wholeProbe(contract, operation, node),
      ...bareProbes(operation, node),
      ...edgeProbes(operation, node),
      ...brokenProbes(contract, operation, node),
    ];
  });
}

/** The value with all members that valid bodies of an operation may have. */
const wholeValue = once((node: SchemaNode): JsonValue | undefined =>
  plainRequestValue(node, 'all'),
);

/** What was added with every member is read again: only then all members are seen. */
function wholeProbe(contract: Contract, operation: Operation, node: SchemaNode): Probe {
  const read = operation.method === 'POST' ? findRead(contract, operation) : undefined;
  const names = [...node.shape().properties.keys()];
  const taken = names.map((name) => requirementId.requestFacet(operation.id, [name], 'taken'));
  return createProbe({
    id: `${operation.id}/every member`,
    phase: phaseOf(operation),
    rank: 1,
    requests: read === undefined ? 1 : 2,
    writes: writes(operation),
    proves: taken,
    run: async (run) => {
      const value = wholeValue(node);
      if (value === undefined) throw new NothingToSend('no valid value with all members was found');
      const sent = names.filter((name) => isJsonObject(value) && Object.hasOwn(value, name));
      const exercises = sent.map((name) =>
        requirementId.requestFacet(operation.id, [name], 'taken'),
      );
      const added = await run.session.send({
        ...asValid(plainRequest(operation, run), exercises),
        ...bodyOf(operation, value),
      });
      if (read === undefined || (statusOf(added) ?? 300) >= 300) return;
      const request = plainRequest(read, run);
      if (request.guessed.length === 0) await run.session.send(asValid(request));
    },
  });
}

/** The operation that shows an item of the collection that another adds to. */
function findRead({ operations }: Contract, { path }: Operation): Operation | undefined {
  const start = path.endsWith('/') ? path : `${path}/`;
  return operations.find(
    (one) =>
      one.method === 'GET' &&
      one.path.startsWith(start) &&
      /^\{[^{}/]+\}\/?$/.test(one.path.slice(start.length)),
  );
}

/** The value with no more than the members that bodies need. */
const bareValue = once((node: SchemaNode): JsonValue | undefined => {
  const { value } = sampleSchema(node, { direction: 'request', members: 'required' });
  return isValidRequest(node, value) ? value : undefined;
});

/** A body without the members that the usual one has beyond those required. */
function bareProbes(operation: Operation, node: SchemaNode): readonly Probe[] {
  const { properties, required } = node.shape();
  const optional = [...properties.keys()].filter((name) => !required.has(name));
  if (optional.length === 0) return [];
  const facets = optional.map((name) =>
    requirementId.requestFacet(operation.id, [name], 'optional'),
  );
  return [
    createProbe({
      id: `${operation.id}/required members only`,
      phase: phaseOf(operation),
      rank: 2,
      writes: writes(operation),
      proves: facets,
      run: async (run) => {
        const [plain, value] = [plainRequest(operation, run), bareValue(node)];
        const usual = readJson(plain.body);
        if (!isJsonObject(value) || !isJsonObject(usual)) return;
        const lacks = facets.filter((_facet, at) => !Object.hasOwn(value, optional[at] ?? ''));
        if (optional.every((name) => !Object.hasOwn(usual, name) || Object.hasOwn(value, name)))
          return;
        await run.session.send({ ...asValid(plain, lacks), ...bodyOf(operation, value) });
      },
    }),
  ];
}

/** Whole bodies with one member each at the end of one of its limits, a few in each probe. */
function edgeProbes(operation: Operation, node: SchemaNode): readonly Probe[] {
  const members = [...node.shape().properties].filter(([, member]) => !member.shape().readOnly);
  const counts = members.map(([, member]) => listLimits(member).length);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const facets = members.flatMap(([name], at) =>
    counts[at] === 0 ? [] : [requirementId.requestFacet(operation.id, [name], 'taken')],
  );
  const bodies = once((_node: SchemaNode) => listEdgeBodies(operation, node));
  return Array.from({ length: Math.ceil(count / share) }, (_, part) =>
    createProbe({
      id: `${operation.id}/limits ${part + 1}`,
      phase: phaseOf(operation),
      rank: part === 0 ? 2 : 3,
      requests: Math.min(share, count - part * share),
      writes: writes(operation),
      proves: facets,
      isPart: true,
      run: async (run) => {
        for (const { exercises, value } of bodies(node).slice(part * share, (part + 1) * share))
          await run.session.send({
            ...asValid(plainRequest(operation, run), exercises),
            ...bodyOf(operation, value),
          });
      },
    }),
  );
}

function listEdgeBodies({ id }: Operation, node: SchemaNode) {
  const whole = wholeValue(node);
  if (!isJsonObject(whole)) return [];
  return [...node.shape().properties].flatMap(([name, member]) =>
    limitEdges(member)
      .filter(({ isShownBy }) => whole[name] === undefined || !isShownBy(whole[name]))
      .map((edge) => ({
        exercises: [requirementId.requestFacet(id, [name], 'taken')],
        value: { ...whole, [name]: edge.value },
      }))
      .filter(({ value }) => isValidRequest(node, value)),
  );
}

function bodyOf(operation: Operation, value: JsonValue) {
  const media = jsonContent(operation.requestBody?.content ?? []);
  if (media === undefined) return {};
  const { body, contentType } = renderRequestBody(media, value);
  return { body, headers: { 'content-type': contentType } };
}

/** As many probes as the requirements of what is refused take, a few bodies each. */
function brokenProbes(
  contract: Contract,
  operation: Operation,
  node: SchemaNode,
): readonly Probe[] {
  const status = refusalStatus(operation);
  const facets = (requirementsByOperation(contract).get(operation.id) ?? []).flatMap(
    ({ id, subject }): readonly RefusedFacet[] =>
      subject.kind === 'request' && subject.facet !== 'taken' && subject.facet !== 'optional'
        ? [{ id, path: subject.path, facet: subject.facet }]
        : [],
  );
  if (status === undefined || facets.length === 0) return [];
  const broken = once((_node: SchemaNode): readonly InvalidBody[] => {
    const valid = wholeValue(node) ?? plainRequestValue(node);
    return valid === undefined ? [] : listInvalidVariants(facets, node, valid);
  });
  return Array.from({ length: Math.ceil(facets.length / share) }, (_, part) =>
    createProbe({
      id: `${operation.id}/invalid bodies ${part + 1}`,
      phase: 'invalid',
      rank: part === 0 ? 2 : 3,
      requests: Math.min(share, facets.length - part * share),
      writes: writes(operation),
      proves: [
        ...facets.slice(part * share, (part + 1) * share).map(({ id }) => id),
        ...shownByRefusal(contract, operation, status),
      ],
      run: async (run) => {
        const {
          guessed: _guessed,
          headers: _headers,
          body: _body,
          ...plain
        } = plainRequest(operation, run);
        for (const each of broken(node).slice(
          part * share,
          Math.min((part + 1) * share, facets.length),
        )) {
          const { requirement, way, text } = each;
          const intent = { kind: 'invalid', requirement, way, status } as const;
          const body = text === undefined ? {} : { body: text };
          await run.session.send({ ...plain, ...body, intent });
        }
      },
    }),
  );
}
