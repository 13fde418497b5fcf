/** The contexts that expressions of a workflow read, such as `inputs` and `steps`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** A text in which each `${{ expression }}` is replaced by its value, as a runner does. */
export function fillIn(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, code: string) =>
    renderValue(evaluate(code, contexts)),
  );
}

/** Whether a step or job runs; `if` may have its braces or not. */
export function isMet(condition: string, contexts: Contexts): boolean {
  const [, code = condition] = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition) ?? [];
  return isTrue(evaluate(code, contexts));
}

/** The paths that the expressions of a text read: `inputs.shard`. */
export function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{\{(.*?)\}\}/gs)].flatMap(([, code = '']) =>
    tokensOf(code).filter((token) => /^[a-z][\w-]*(\.[\w-]+)+$/i.test(token)),
  );
}

/** The value of an expression in the subset that our files use. Throws for any other. */
function evaluate(code: string, contexts: Contexts): unknown {
  const tokens = [...tokensOf(code)];
  const take = (wanted?: string): string => {
    const token = tokens.shift();
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`This is not in the subset: ${code}`);
    return token;
  };
  const primary = (): unknown => {
    const token = take();
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (token === '!') return !isTrue(primary());
    if (tokens[0] === '(') return call(token);
    if (tokens[0] !== '[') return readPath(token, contexts);
    take('[');
    const name = renderValue(either());
    take(']');
    return readPath(`${token}.${name}`, contexts);
  };
  const call = (name: string): unknown => {
    take('(');
    const values: unknown[] = [];
    while (tokens[0] !== ')') {
      values.push(either());
      if (tokens[0] === ',') take(',');
    }
    take(')');
    return callFunction(name, values);
  };
  const compare = (): unknown => {
    const one = primary();
    if (tokens[0] !== '==' && tokens[0] !== '!=') return one;
    const isEqual = take() === '==';
    return (renderValue(one) === renderValue(primary())) === isEqual;
  };
  const both = (): unknown => {
    let value = compare();
    while (tokens[0] === '&&') {
      take('&&');
      const next = compare();
      value = isTrue(value) ? next : value;
    }
    return value;
  };
  const either = (): unknown => both();
  const value = either();
  if (tokens.length > 0) throw new Error(`This is not in the subset: ${code}`);
  return value;
}

function tokensOf(code: string): readonly string[] {
  return code.match(/'(?:[^']|'')*'|[a-z][\w.-]*|&&|[!=]=|[!()[\],]|\S/gi) ?? [];
}

function callFunction(name: string, [first, ...rest]: readonly unknown[]): unknown {
  switch (name) {
    case 'always':
      return true;
    case 'cancelled':
      return false;
    case 'format':
      return renderValue(first).replaceAll(/\{(\d)\}/g, (_, at) => renderValue(rest[Number(at)]));
    default:
      throw new Error(`There is no function ${name} in the subset.`);
  }
}

function readPath(path: string, contexts: Contexts): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : ''),
      contexts,
    );
}

function isTrue(value: unknown): boolean {
  return value !== '' && value !== false && value !== null && value !== undefined;
}

function renderValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
