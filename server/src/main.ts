import { join } from 'node:path';
import { configWarnings } from '#config/format-config.ts';
import { readConfig } from '#config/read-config.ts';
import { isPrepared, prepareDatabase } from '#console/first-run/prepare-database.ts';
import type { FirstSetup } from '#console/first-run/run-first-setup.ts';
import { replaySlot } from '#gateway/request-log/replay-slot.ts';
import { createLogger } from '#platform/logger.ts';
import { supervise } from '#supervisor/supervise.ts';
import { formatWelcome } from './print-welcome.ts';
import { version } from './version.ts';

/** Starts the whole product in this process and its workers; ends when it is told to stop. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.logLevel);
  let firstSetup: FirstSetup | null = null;
  await supervise({
    config,
    log,
    workerFile: join(import.meta.dirname, 'worker.ts'),
    sandboxFile: join(import.meta.dirname, '../../sandbox/src/main.ts'),
    isDatabaseInUse: isPrepared,
    async prepareDatabase(database) {
      firstSetup = await prepareDatabase(config, database, log);
    },
    replaySlot: (slotDir, { connectionString }) => replaySlot(slotDir, connectionString, log),
    onOpen({ port }) {
      const address = config.http.port === 0 ? `http://localhost:${port}` : config.http.publicUrl;
      const isPasswordGiven = config.admin.password !== null;
      const warnings = configWarnings(config);
      process.stdout.write(formatWelcome({ version, address, firstSetup, isPasswordGiven, warnings }));
    },
  });
}

// Who started it may have closed the terminal, or read enough.
process.stdout.on('error', () => undefined);
main().catch((error: unknown) => {
  process.stderr.write(`Sluice cannot start. ${formatFailure(error)}\n`);
  process.exit(1);
});

// What an operator can mend is told in words; a fault of the program needs its stack.
function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof TypeError || error instanceof ReferenceError ? String(error.stack) : error.message;
}
