export {
  type FrameRun,
  type JournalEntry,
  type Operation,
  type Outcome,
  type Protocol,
  type SandboxJournal,
  tokensWithin,
} from './journal.ts';
export { modelNames } from './models/catalogue.ts';
export { type Sandbox, startSandbox } from './start.ts';
