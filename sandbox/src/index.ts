export type { JournalEntry, Outcome, SandboxJournal } from './journal.ts';
export { type Sandbox, startSandbox } from './start.ts';
