/** Listed in the order of the report. */
export const importedKinds = [
  'providers',
  'models',
  'teams',
  'users',
  'service accounts',
  'team members',
  'model grants',
  'API keys',
  'budgets',
  'settings',
] as const;

export type ImportedKind = (typeof importedKinds)[number];

export interface Finding {
  readonly kind: ImportedKind;
  readonly outcome: 'approximated' | 'not_carried';
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
}

const examplesMax = 5;

/** Collects the objects that an import changes or omits, with one entry per kind and reason. */
export interface Findings {
  approximate(kind: ImportedKind, name: string, reason: string): void;
  leaveOut(kind: ImportedKind, name: string, reason: string): void;
  list(): Finding[];
}

export function createFindings(): Findings {
  const found = new Map<string, { finding: Omit<Finding, 'count' | 'examples'>; names: string[] }>();
  const add = (outcome: Finding['outcome'], kind: ImportedKind, name: string, reason: string) => {
    const key = [outcome, kind, reason].join('\n');
    const entry = found.getOrInsertComputed(key, () => ({ finding: { kind, outcome, reason }, names: [] }));
    entry.names.push(name);
  };
  return {
    approximate: (...finding) => add('approximated', ...finding),
    leaveOut: (...finding) => add('not_carried', ...finding),
    list: () =>
      [...found.values()].map(({ finding, names }) => ({
        ...finding,
        count: names.length,
        examples: names.slice(0, examplesMax),
      })),
  };
}
