import { ContractError, type DiagnosticLog } from './source/diagnostic.ts';
import { createDocumentNode } from './source/node.ts';
import { wantsKey } from './openapi/credential.ts';
import { compileErrorShape } from './openapi/error-shape.ts';
import type { InferredResource, Resource } from './resource/resource.ts';
import { warnOddDefaults } from './resource/list-parameters.ts';
import { compileOpenQuestions } from './openapi/open-question.ts';
import { compileOperations, compileWebhooks, listMethods } from './openapi/operation.ts';
import { compileRateLimit } from './openapi/rate-limit.ts';
import { inferResources } from './resource/inference.ts';
import { checkSamples } from './sample/sample-check.ts';
import { SchemaRegistry } from './schema/schema-node.ts';
import { checkSchemaData, type CompileContext } from './openapi/compile-context.ts';
import type { Contract } from './contract.ts';
import type { JsonObject } from './json/value.ts';
import { trimEnd } from './http/address.ts';

interface CompileOptions {
  /** Name of the document in messages. */
  readonly source: string;
  /** SHA-256 of its text. */
  readonly digest: string;
  /**
   * `trusted`: the document was checked before, and nothing is judged again. `at once`: all schemas and
   * examples are judged. `when used`: each is judged on first use.
   */
  readonly judges: 'trusted' | 'at once' | 'when used';
  /** The schemas of the document with their pointers, to judge them at once. */
  readonly schemas?: ReadonlyMap<JsonObject, string>;
}

/** Compiles a document with only local references, and reports its problems. */
export function compileDocument(
  document: JsonObject,
  issues: DiagnosticLog,
  { source, digest, judges, schemas = new Map() }: CompileOptions,
): Contract {
  const registry = new SchemaRegistry(document, source, (pointer, message) =>
    issues.report('invalid-schema', pointer, message),
  );
  const root = createDocumentNode(document);
  const context: CompileContext = {
    judges,
    root,
    issues,
    schema: (pointer) => guard(issues, () => registry.node(pointer)),
  };
  const operations = compileOperations(context);
  const leftOut = issues.list().filter(({ level }) => level === 'error');
  const [questions, rateLimit] = ['x-unspecified', 'x-rate-limit'].map((name) => root.get(name));
  const openQuestions = questions === undefined ? [] : compileOpenQuestions(context, questions);
  const info = context.root.get('info');
  let webhooks: Contract['webhooks'] | undefined;
  let inferred: Contract['inferredResources'] | undefined;
  let certain: Contract['resources'] | undefined;
  let error: Pick<Contract, 'error'> | undefined;
  const contract: Contract = {
    title: info?.text('title') ?? '',
    version: info?.text('version') ?? '',
    source,
    digest,
    document,
    basePath: compileBasePath(context),
    operations,
    usualSecurity: operations.find(({ security }) => wantsKey(security))?.security ?? [],
    rateLimit: rateLimit && compileRateLimit(context, rateLimit),
    openQuestions,
    leftOut,
    get webhooks() {
      return (webhooks ??= compileWebhooks(context, operations));
    },
    get inferredResources() {
      return (inferred ??= guard(issues, () => inferResources(context, operations)) ?? []);
    },
    get resources() {
      return (certain ??=
        guard(issues, () => listCertain(contract.inferredResources, issues)) ?? []);
    },
    get error() {
      return (error ??= { error: guard(issues, () => compileErrorShape(context, operations)) })
        .error;
    },
    get diagnostics() {
      return issues.list();
    },
  };
  if (judges === 'at once') {
    void contract.webhooks;
    checkSchemas(context, registry, schemas);
    checkSamples(issues, operations);
    void contract.error;
    void contract.resources;
  } else if (describesResources(context)) void contract.inferredResources;
  return contract;
}

/** The certain collections, top-level ones first; reports problems. */
function listCertain(
  inferred: readonly InferredResource[],
  issues: DiagnosticLog,
): readonly Resource[] {
  const certain = inferred
    .flatMap((resource) => resource.certain ?? [])
    .toSorted((one, other) => one.parents.length - other.parents.length);
  warnOddDefaults(issues, certain);
  return certain;
}

/** Whether the document has extensions about its collections, whose errors are reported at the start. */
function describesResources({ root }: CompileContext): boolean {
  return (root.get('paths')?.entries() ?? []).some(
    ([, item]) =>
      item.object['x-resource'] !== undefined ||
      [...listMethods(item).values()].some((node) => node.object['x-resource-role'] !== undefined),
  );
}

/** Path of the first server, with default variables: `/v1`. Empty for none. */
function compileBasePath({ root, issues }: CompileContext): string {
  const server = root.get('servers')?.items()[0];
  const address = server
    ?.text('url')
    ?.replaceAll(
      /\{([^{}]+)\}/g,
      (whole, name: string) => server.get('variables')?.get(name)?.text('default') ?? whole,
    );
  if (server === undefined || address === undefined) return '';
  const url = URL.parse(address, 'http://localhost/');
  if (url !== null) return trimEnd(url.pathname, '/');
  issues.report('invalid-server', server.at('url'), `${address} is not an address`);
  return '';
}

/** Reports errors in the schemas of operations and components, and in their examples and defaults. */
function checkSchemas(
  context: CompileContext,
  registry: SchemaRegistry,
  schemas: ReadonlyMap<JsonObject, string>,
): void {
  const components = context.root.get('components')?.get('schemas');
  // The registry checks the schemas that were requested.
  for (const name of Object.keys(components?.object ?? {}))
    context.schema(components?.at(name) ?? '');
  registry.checkAll();
  checkSchemaData(context, schemas);
}

/** The compiled value; undefined, with the errors logged, if a schema prevents it. */
function guard<Value>(issues: DiagnosticLog, compile: () => Value): Value | undefined {
  try {
    return compile();
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    for (const { code, pointer, message } of cause.diagnostics)
      issues.report(code, pointer, message);
    return undefined;
  }
}
