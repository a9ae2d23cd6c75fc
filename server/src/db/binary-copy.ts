import type pg from 'pg';
import { copyIn } from './copy.ts';

export interface CopyColumn<Row> {
  readonly name: string;
  /** Writes the row's value at `offset` of the target and returns the end offset. */
  write(row: Row, offset: number): number;
}

/** Writer for one type in PostgreSQL's binary format, which the server reads without parsing. */
export interface ColumnType<Value> {
  readonly name: string;
  /** Object id of the type in the system catalog. Equal in all databases. */
  readonly oid: number;
  /** Returns the maximum encoded size in bytes. */
  boundOf(value: Value): number;
  /** Returns the end offset. */
  write(target: Buffer, value: Value, offset: number): number;
}

const fixed = <Value>(
  name: string,
  oid: number,
  bytes: number,
  write: ColumnType<Value>['write'],
): ColumnType<Value> => ({ name, oid, boundOf: () => bytes, write });

/** PostgreSQL counts time from 2000-01-01. */
const epochMs = Date.UTC(2000, 0, 1);
const jsonbVersion = '\u0001';
/** Maximum bytes of UTF-8 per UTF-16 code unit. */
const unitBytesMax = 3;

export const boolean = fixed<boolean>('boolean', 16, 1, (target, value, offset) =>
  target.writeUInt8(Number(value), offset),
);
export const smallint = fixed<number>('smallint', 21, 2, (target, value, offset) =>
  target.writeInt16BE(value, offset),
);
export const integer = fixed<number>('integer', 23, 4, (target, value, offset) =>
  target.writeInt32BE(value, offset),
);
export const bigint = fixed<bigint>('bigint', 20, 8, (target, value, offset) =>
  target.writeBigInt64BE(value, offset),
);
export const real = fixed<number>('real', 700, 4, (target, value, offset) =>
  target.writeFloatBE(value, offset),
);
export const float8 = fixed<number>('float8', 701, 8, (target, value, offset) =>
  target.writeDoubleBE(value, offset),
);
/** Timestamp in milliseconds since 1970-01-01. */
export const timestamptz = fixed<number>('timestamptz', 1184, 8, (target, value, offset) =>
  target.writeBigInt64BE(BigInt(value - epochMs) * 1_000n, offset),
);
export const uuid = fixed<string>(
  'uuid',
  2950,
  16,
  (target, value, offset) => offset + target.write(value.replaceAll('-', ''), offset, 'hex'),
);
/** Bytes as a hexadecimal string. */
export const bytea: ColumnType<string> = {
  name: 'bytea',
  oid: 17,
  boundOf: (value) => value.length / 2,
  write: (target, value, offset) => offset + target.write(value, offset, 'hex'),
};
export const rawBytea: ColumnType<Uint8Array> = {
  name: 'bytea',
  oid: 17,
  boundOf: (value) => value.length,
  write(target, value, offset) {
    target.set(value, offset);
    return offset + value.length;
  },
};
/** Bit string whose length is a multiple of 8. The first bit is the highest bit of the first byte. */
export const bitVarying: ColumnType<Uint8Array> = {
  name: 'bit varying',
  oid: 1562,
  boundOf: (value) => lengthBytes + value.length,
  write: (target, value, offset) =>
    rawBytea.write(target, value, target.writeInt32BE(8 * value.length, offset)),
};
export const text: ColumnType<string> = {
  name: 'text',
  oid: 25,
  boundOf: (value) => value.length * unitBytesMax,
  write: (target, value, offset) => offset + target.write(value, offset),
};
/** JSON text. */
export const jsonb: ColumnType<string> = {
  name: 'jsonb',
  oid: 3802,
  boundOf: (value) => (jsonbVersion.length + value.length) * unitBytesMax,
  write: (target, value, offset) => offset + target.write(jsonbVersion + value, offset),
};

/** One-dimensional array without NULL elements. */
export function arrayOf<Value>(type: ColumnType<Value>, oid: number): ColumnType<readonly Value[]> {
  const [dimensions, hasNulls, firstIndex] = [1, 0, 1];
  return {
    name: `${type.name}[]`,
    oid,
    boundOf: (values) =>
      arrayHeaderBytes + values.reduce((sum, value) => sum + lengthBytes + type.boundOf(value), 0),
    write(target, values, offset) {
      let end = offset;
      for (const field of [dimensions, hasNulls, type.oid, values.length, firstIndex])
        end = target.writeInt32BE(field, end);
      for (const value of values) {
        const start = end + lengthBytes;
        const valueEnd = type.write(target, value, start);
        target.writeInt32BE(valueEnd - start, end);
        end = valueEnd;
      }
      return end;
    },
  };
}

/** `read` returns `null` or `undefined` for NULL. */
export function column<Row, Value>(
  name: string,
  type: ColumnType<Value>,
  read: (row: Row) => Value | null | undefined,
): CopyColumn<Row> {
  return {
    name,
    write(row, offset) {
      const value = read(row);
      const start = offset + lengthBytes;
      reserve(start, offset);
      const end = value == null ? start : writeValue(type, value, start);
      scratch.writeInt32BE(value == null ? nullLength : end - start, offset);
      return end;
    },
  };
}

/** Thrown when a column cannot store a value. `cause` is the row. */
export class UnstorableValueError extends Error {
  override readonly name = 'UnstorableValueError';
}

/**
 * Adds rows to a table with `COPY` in the caller's transaction.
 * @throws UnstorableValueError if a column cannot store a value
 */
export async function copyRows<Row>(
  client: pg.ClientBase,
  table: string,
  columns: readonly CopyColumn<Row>[],
  rows: readonly Row[],
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ');
  const data = Buffer.from(encodeRows(columns, rows));
  await copyIn(client, `COPY ${table} (${names}) FROM STDIN (FORMAT binary)`, [data]);
}

/** Header of binary COPY data: a signature, flags, and the length of an empty extension. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const countBytes = 2;
const trailer = -1;
const arrayHeaderBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

let scratch = Buffer.allocUnsafe(64 * 1024);

/** The returned buffer is valid until the next call. */
function encodeRows<Row>(columns: readonly CopyColumn<Row>[], rows: readonly Row[]): Buffer {
  let end = header.copy(scratch);
  for (const row of rows) {
    reserve(end + countBytes, end);
    end = scratch.writeInt16BE(columns.length, end);
    for (const each of columns) end = each.write(row, end);
  }
  reserve(end + countBytes, end);
  return scratch.subarray(0, scratch.writeInt16BE(trailer, end));
}

function writeValue<Value>(type: ColumnType<Value>, value: Value, offset: number): number {
  try {
    reserve(offset + type.boundOf(value), offset);
    return type.write(scratch, value, offset);
  } catch (cause) {
    throw new UnstorableValueError(`a value does not fit into a column of type ${type.name}`, { cause });
  }
}

function reserve(bytes: number, usedBytes: number): void {
  if (bytes > scratch.length) scratch = Buffer.concat([scratch.subarray(0, usedBytes)], 2 * bytes);
}
