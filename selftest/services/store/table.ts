/** What a column holds. */
export type Cell = string | bigint | null;

export type Row = Readonly<Record<string, Cell>>;

/** A column as `CREATE TABLE` has it; `size` is in characters, for texts. */
export interface Column {
  readonly name: string;
  readonly type: 'BIGINT' | 'INT' | 'DOUBLE' | 'TEXT';
  readonly size?: number;
  readonly nullable?: boolean;
  /** A number out of range becomes the nearest one, a text that is too long is cut. */
  readonly lenient?: boolean;
  /** The values that a CHECK allows; all, if there are none. */
  readonly values?: readonly string[];
}

/** How the database treats what does not fit; a strict one refuses it. */
export interface Engine {
  /** Texts compare without regard to case. */
  readonly caseInsensitive: boolean;
  /** A text may not have a NUL in it, as PostgreSQL has it. */
  readonly refusesNul: boolean;
  /** Characters have at most three bytes; what has more becomes a question mark. */
  readonly threeBytes: boolean;
  /** Blanks at the end of a text are not kept. */
  readonly padded: boolean;
  /** Transactions end without a commit. */
  readonly rollsBack: boolean;
}

/** An error with its SQLSTATE. */
export class DatabaseError extends Error {
  readonly state: string;
  constructor(state: string, message: string) {
    super(message);
    this.state = state;
  }
}

const ranges = { INT: 2n ** 31n, BIGINT: 2n ** 63n, DOUBLE: 2n ** 200n };

/** A table with a sequence for its key, and the transactions on it. */
export interface Table {
  /** Runs in a transaction, which an error rolls back. */
  readonly transact: <Result>(run: (rows: Row[]) => Result) => Result;
  /** Gives the row its id. @throws {DatabaseError} */
  readonly insert: (rows: Row[], values: Row) => Row;
  readonly equals: (cell: Cell | undefined, text: string) => boolean;
}

export function createTable(columns: readonly Column[], engine: Engine): Table {
  let committed: readonly Row[] = [];
  let sequence = 0n;
  return {
    transact: (run) => {
      const rows = [...committed];
      const result = run(rows);
      if (!engine.rollsBack) committed = rows;
      return result;
    },
    insert: (rows, values) => {
      sequence += 1n;
      const row = Object.fromEntries(
        columns.map((column) => [column.name, store(column, values[column.name] ?? null, engine)]),
      );
      rows.push({ ...row, id: sequence });
      return { ...row, id: sequence };
    },
    equals: (cell, text) =>
      engine.caseInsensitive
        ? String(cell ?? '').toLowerCase() === text.toLowerCase()
        : cell === text,
  };
}

function store(column: Column, cell: Cell, engine: Engine): Cell {
  if (cell === null) {
    if (column.nullable) return null;
    throw new DatabaseError('23502', `null in column "${column.name}"`);
  }
  const value =
    column.type === 'TEXT' ? storeText(column, cell, engine) : storeNumber(column, cell);
  if (column.values?.length && !column.values.includes(String(value)))
    throw new DatabaseError('23514', `check of column "${column.name}"`);
  return value;
}

function storeNumber({ name, type, lenient }: Column, cell: Cell): bigint {
  if (typeof cell !== 'bigint' || type === 'TEXT')
    throw new DatabaseError('22P02', `no number for column "${name}"`);
  const range = ranges[type];
  const nearest = cell < -range ? -range : cell >= range ? range - 1n : cell;
  if (nearest !== cell && !lenient)
    throw new DatabaseError('22003', `column "${name}" out of range`);
  return type === 'DOUBLE' ? BigInt(Number(nearest)) : nearest;
}

function storeText({ name, size = Infinity, lenient }: Column, cell: Cell, engine: Engine): string {
  if (typeof cell !== 'string') throw new DatabaseError('42804', `no text for column "${name}"`);
  if (engine.refusesNul && cell.includes('\0'))
    throw new DatabaseError('22021', 'invalid byte sequence: 0x00');
  const characters = Array.from(cell).map((each) =>
    engine.threeBytes && Buffer.byteLength(each) > 3 ? '?' : each,
  );
  if (characters.length > size && !lenient)
    throw new DatabaseError('22001', `value too long for column "${name}"`);
  const text = characters.slice(0, size).join('');
  return engine.padded ? text.trimEnd() : text;
}
