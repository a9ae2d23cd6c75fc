/** One thing that the doctor has looked at. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** What it found. */
  readonly finding: string;
  /** What to do about it; absent when it is ok. */
  readonly cure?: string;
}

export const ok = (name: string, finding: string): Check => ({ name, state: 'ok', finding });
export const warn = (name: string, finding: string, cure: string): Check => ({
  name,
  state: 'warn',
  finding,
  cure,
});
export const fail = (name: string, finding: string, cure: string): Check => ({
  name,
  state: 'fail',
  finding,
  cure,
});
