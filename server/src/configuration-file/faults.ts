/** A place in a file; lines and columns begin at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Fault extends Place {
  readonly message: string;
}

/** Thrown with every fault of a configuration at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join('\n'));
    this.faults = faults;
  }
}

export function formatFault({ file, line, column, message }: Fault): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Orders faults by place and drops repeated ones. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  const unique = new Map(faults.map((fault) => [formatFault(fault), fault]));
  return [...unique.values()].toSorted(
    (one, other) => one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column,
  );
}
