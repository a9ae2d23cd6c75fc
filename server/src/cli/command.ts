import type { ParseArgsOptionDescriptor } from 'node:util';
import { readDecimal } from '@sluice/contract';
import type { Config } from '#config/config.ts';

/** What an option of a command is: a switch, or a text with a name for the help. */
export interface CommandOption {
  readonly summary: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
}

/** What a command is called with. */
export interface CommandCall {
  readonly config: Config;
  /** By the names of the command's operands; an optional one that was left out is absent. */
  readonly operands: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Whether answers are JSON. */
  readonly isJson: boolean;
  /** Tells how far it is; goes to standard error. */
  note(text: string): void;
  /** Writes one line of an answer that comes bit by bit. */
  line(text: string): void;
}

export interface CommandAnswer {
  /** For `--json`. */
  readonly json: unknown;
  /** For people. */
  readonly text: string;
  /** 0 unless given. */
  readonly exitCode?: number;
}

/** One command: the row of the table in `commands.ts`, and of the help. */
export interface Command {
  /** Such as `users block`. */
  readonly name: string;
  /** In their order; in brackets where it may be left out. */
  readonly operands?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  readonly summary: string;
  /** True for a command that needs no installation. */
  readonly isLocal?: true;
  /** Whatever the help adds, in whole sentences. */
  readonly details?: string;
  run(call: CommandCall): Promise<CommandAnswer>;
}

/** The command was called in a way it does not know; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** As node's `parseArgs` takes them. */
export function parserOptionsOf({ options = {} }: Command): Record<string, ParseArgsOptionDescriptor> {
  const own = Object.entries(options).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  return { ...Object.fromEntries(own), json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } };
}

/** The text of an option that was given. @throws UsageError for one that is missing though it is needed */
export function textOption({ options }: CommandCall, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws UsageError for what is no whole number from 1 on */
export function countOption(call: CommandCall, name: string, otherwise: number): number {
  const text = textOption(call, name);
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
}

/** An operand of a command that demands it. */
export function operandOf({ operands }: CommandCall, name: string): string {
  const value = operands[name];
  if (value === undefined) throw new UsageError(`${name} is missing.`);
  return value;
}

/** Returns the number that an operand names. @throws UsageError unless it is in decimal notation. */
export function numberOperand(call: CommandCall, name: string): number {
  const text = operandOf(call, name);
  const value = readDecimal(text);
  if (value === undefined)
    throw new UsageError(`${name} is a number in decimal notation, such as 12.5, not "${text}".`);
  return value;
}
