import type { ParseArgsOptionDescriptor } from 'node:util';
import { readDecimal } from '@sluice/contract';
import type { z } from 'zod';
import type { Config } from '#config/config.ts';

export interface CommandOption {
  readonly summary: string;
  /** Placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly short?: string;
}

export type CommandInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

export interface CommandCall {
  readonly config: Config;
  /** Environment variables. Options such as `--api-key-env` may name one. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: CommandInput;
  readonly operands: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly isJson: boolean;
  note(text: string): void;
  /** Writes one line of streamed output. */
  line(text: string): void;
}

export interface CommandAnswer {
  readonly json: unknown;
  readonly text: string;
  /** Exit code of the process; defaults to 0. */
  readonly exitCode?: number;
}

/** Exit code of a plan that contains changes. */
export const changesFound = 2;

export interface Command {
  readonly name: string;
  /** Optional operands are in brackets. */
  readonly operands?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  readonly summary: string;
  /** Whether the command requires no installation. */
  readonly isLocal?: true;
  readonly details?: string;
  run(call: CommandCall): Promise<CommandAnswer>;
}

/** Thrown when a command is called incorrectly. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function parserOptionsOf({ options = {} }: Command): Record<string, ParseArgsOptionDescriptor> {
  const own = Object.entries(options).map(
    ([name, { short, value }]) =>
      [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }] as const,
  );
  return { ...Object.fromEntries(own), json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } };
}

export function textOption({ options }: CommandCall, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws UsageError unless the value is a whole number of at least 1 */
export function countOption(call: CommandCall, name: string, otherwise: number): number {
  const text = textOption(call, name);
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}".`);
  return Number(text);
}

export function operandOf({ operands }: CommandCall, name: string): string {
  const value = operands[name];
  if (value === undefined) throw new UsageError(`${name} is missing.`);
  return value;
}

/** @throws UsageError unless the operand is in decimal notation */
export function numberOperand(call: CommandCall, name: string): number {
  const text = operandOf(call, name);
  const value = readDecimal(text);
  if (value === undefined)
    throw new UsageError(`${name} must be a number in decimal notation, such as 12.5, not "${text}".`);
  return value;
}

/**
 * Returns an object id that was copied from a list of the CLI or the console.
 * @throws UsageError unless the operand is a whole number of at least 1 in decimal notation
 */
export function idOperand(call: CommandCall, name: string): number {
  const text = operandOf(call, name);
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be a numeric id, such as 12, not "${text}".`);
}

/** @throws UsageError that names the invalid field */
export function parseBody<Body extends z.ZodType>(schema: Body, given: unknown): z.output<Body> {
  const { data, error } = schema.safeParse(given);
  if (!error) return data;
  throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

type Cell = string | number | boolean | null;

/** The last column has no padding. */
export function formatTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  return texts.map((row) => formatRow(row, widths)).join('\n');
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((text, column) => text.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

function formatCell(cell: Cell): string {
  if (cell === null) return '-';
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell);
}
