import type { FaultRule } from '../../session/types.ts';

/** What a fault does, by the member of its rule. */
export const faultKinds = {
  status: 'another status',
  delay: 'a delay',
  connection: 'a broken connection',
  body: 'a broken body',
} as const;

export type FaultKind = keyof typeof faultKinds;

/** The rule that a form names; fields that are empty are left out. */
export function faultOf(kind: FaultKind, form: FormData): FaultRule {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const number = <Name extends string>(name: Name): Partial<Record<Name, number>> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one member of this name
    (text(name) === '' ? {} : { [name]: Number(text(name)) }) as Partial<Record<Name, number>>;
  const common = {
    ...(text('operation') === '' ? {} : { operation: text('operation') }),
    ...number('count'),
  };
  switch (kind) {
    case 'status':
      return { ...common, ...number('status'), ...number('retryAfter') };
    case 'delay': {
      const milliseconds = Number(text('delay'));
      return { ...common, delay: { from: milliseconds, to: milliseconds } };
    }
    case 'connection':
      return { ...common, connection: text('connection') === 'silence' ? 'silence' : 'reset' };
    case 'body':
      return { ...common, body: text('body') === 'malformed' ? 'malformed' : 'truncated' };
  }
}
