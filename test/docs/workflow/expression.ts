import { runInNewContext } from 'node:vm';

/** The contexts that expressions of a workflow read, such as `inputs` and `steps`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** A text in which each `${{ expression }}` is replaced by its value, as a runner does. */
export function fillIn(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, code: string) =>
    textOf(evaluate(code, contexts)),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Whether a step or job runs; `if` may have its braces or not. */
export function isMet(condition: string, contexts: Contexts): boolean {
  const [, code = condition] = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition) ?? [];
  return Boolean(evaluate(code, contexts));
}

/** The paths that the expressions of a text read: `inputs.shard`. */
export function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{\{(.*?)\}\}/gs)].flatMap(([, code = '']) =>
    tokensOf(code).filter((token) => /^[a-z].*\./i.test(token)),
  );
}

const functions = {
  always: () => true,
  cancelled: () => false,
  format: (text: string, ...values: readonly unknown[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, at) => textOf(values[Number(at)])),
};

/** The value of an expression in the subset that our files use, as one of JavaScript. Throws for any other. */
function evaluate(code: string, contexts: Contexts): unknown {
  const script = tokensOf(code).map((token) => {
    if (token.startsWith("'")) return JSON.stringify(token.slice(1, -1).replaceAll("''", "'"));
    if (/^[a-z]/i.test(token)) return token in functions ? token : `read('${token}')`;
    if (!/^(&&|[!=]=|[!()[\],])$/.test(token))
      throw new Error(`This is not in the subset: ${code}`);
    return token;
  });
  const read = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), contexts) ??
    '';
  return runInNewContext(script.join(' '), { ...functions, read });
}

function tokensOf(code: string): readonly string[] {
  return code.match(/'(?:[^']|'')*'|[a-z][\w.-]*|&&|[!=]=|\S/gi) ?? [];
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
