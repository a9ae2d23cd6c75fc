import { type AppliedMigration, compareMigrations, readMigrations } from '#db/migration-files.ts';

/** Throws unless a database has exactly the tables of this version; the message says what to do. */
export function requireSchema(applied: readonly AppliedMigration[]): void {
  const { pending, newer, edited } = compareMigrations(applied, readMigrations());
  if (applied.length === 0)
    throw new Error(
      'The database has no tables of Sluice yet. Run `npx sluice setup`, or start Sluice once; if it should have them, correct DATABASE_URL.',
    );
  if (newer)
    throw new Error(
      `The database was set up by a newer version of Sluice (it has migration ${newer}). Use the commands of that version.`,
    );
  if (edited)
    throw new Error(
      `Migration ${edited} differs from the one this database ran. Use the commands of the build that runs on it.`,
    );
  if (pending.length > 0)
    throw new Error(
      `The database is of an older version of Sluice: ${pending.length} migrations have not run. Make a backup and start this version once, or use the commands of the version that runs.`,
    );
}
