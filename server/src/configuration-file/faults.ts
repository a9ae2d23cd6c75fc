/** Position in a file. Lines and columns start at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Fault extends Place {
  readonly message: string;
}

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

export function sortFaults(faults: readonly Fault[]): Fault[] {
  const unique = new Map(faults.map((fault) => [formatFault(fault), fault]));
  return [...unique.values()].toSorted(
    (one, other) => one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column,
  );
}
