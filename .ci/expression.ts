import { analyse } from 'scslre';
import { parseAst } from 'vitest/node';

/** A regular expression that is written in a module. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** The literals of regular expressions in a module of TypeScript. */
export function listExpressions(text: string): readonly Expression[] {
  return [...literalsIn(parseAst(text, { lang: 'ts' }).body)];
}

function* literalsIn(value: unknown): Generator<Expression, undefined> {
  if (typeof value !== 'object' || value === null) return;
  const regex: unknown = Object.getOwnPropertyDescriptor(value, 'regex')?.value;
  if (typeof regex === 'object' && regex !== null) {
    const { pattern, flags }: Readonly<Record<string, unknown>> = { ...regex };
    yield { source: String(pattern), flags: String(flags) };
    return;
  }
  for (const member of Object.values(value)) yield* literalsIn(member);
}

/**
 * A character of which a long run makes an expression slow: the time grows faster than the text.
 * Undefined where no such is found.
 */
export function slowCharacter(expression: Expression): string | undefined {
  return analyse({ ...expression }).reports[0]?.character.pick;
}
