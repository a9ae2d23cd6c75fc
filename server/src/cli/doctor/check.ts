export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  /** Absent if the check passed. */
  readonly fix?: string;
}

export const ok = (name: string, finding: string): Check => ({ name, state: 'ok', finding });
export const warn = (name: string, finding: string, fix: string): Check => ({
  name,
  state: 'warn',
  finding,
  fix,
});
export const fail = (name: string, finding: string, fix: string): Check => ({
  name,
  state: 'fail',
  finding,
  fix,
});
