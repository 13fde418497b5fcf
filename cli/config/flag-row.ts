/** Of a flag's row in its table, what says which values it takes. */
export interface FlagRow {
  /** What follows the flag, as the help shows it: `<number>`. None for a switch. */
  readonly value?: string;
  /** It takes a list. */
  readonly many?: true;
  /** A variable that gives it to every command, besides the one of its own name. */
  readonly variable?: string;
  /** The text that is read where nothing gives it. */
  readonly default?: string;
  /** Sentences for the help. Flags without any share those of the next one. */
  readonly help?: string;
}

export type FlagRows = Readonly<Record<string, FlagRow>>;

/** What a flag takes, as the word for its value says. */
export type ValueKind = 'switch' | 'integer' | 'id' | 'pair' | 'path' | 'secret' | 'text';

export function kindOf({ value, many }: FlagRow): ValueKind {
  if (value === undefined) return 'switch';
  if (/^<(number|seconds)>$/.test(value)) return 'integer';
  // Keys of a list are those that a mock is to take: they open nothing else.
  if (!many && /^<(key|token)>$/.test(value)) return 'secret';
  if (/<(file|folder)>/.test(value)) return 'path';
  if (many && /^<.+>=<.+>$/.test(value)) return 'pair';
  return value === '<id>' ? 'id' : 'text';
}

/** The value that a flag has where nothing gives it; undefined where that is no single value. */
export function defaultOf(row: FlagRow): string | number | undefined {
  if (row.default === undefined) return undefined;
  return kindOf(row) === 'integer' ? Number(row.default) : row.default;
}

/** The sentences of a flag: its own, or those that it shares with the next one that has some. */
export function helpOf(rows: FlagRows, name: string): string {
  const list = Object.entries(rows);
  const from = list.findIndex(([other]) => other === name);
  return list.slice(from).find(([, { help }]) => help !== undefined)?.[1].help ?? '';
}
